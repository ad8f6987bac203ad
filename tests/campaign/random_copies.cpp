#include "tests/campaign/random_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <vector>

namespace ptxmc {

namespace {

using Code = std::vector<std::string>;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed), random_(seed) {}

  std::string text() {
    const unsigned threads = 1 + below(2);
    std::vector<Code> codes;
    for (thread_ = 0; thread_ < threads; ++thread_) codes.push_back(code(threads == 1 ? 4 : 3));
    return header(threads) + body(codes) + question();
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  bool chance(unsigned one_in) { return below(one_in) == 0; }
  const char* any(std::initializer_list<const char*> choices) {
    return *(choices.begin() + below(static_cast<unsigned>(choices.size())));
  }
  void emit(const std::string& line) { code_.push_back(line); }

  Code code(unsigned most) {
    code_.clear();
    registers_ = 0;
    for (unsigned steps = 2 + below(most); steps > 0; --steps) step();
    return code_;
  }

  void step() {
    switch (below(10)) {
      case 0:
      case 1:
        return copy();
      case 2:
        return bulk_load();
      case 3:
        return bulk_store();
      case 4:
        return wait_for_group();
      case 5:
        return wait_for_phase();
      case 6:
        return emit(any({"fence.proxy.async;", "fence.proxy.async.shared::cta;", "fence.acq_rel.cta;"}));
      case 7:
        return emit(fmt::format("st.{} [{}], {};", "shared.u32", any({"s", "t"}), 7 + below(2)));
      case 8:
        return emit(fmt::format("st.global.u32 [g], {};", 7 + below(2)));
      default:
        return load("");
    }
  }

  void copy() {
    emit(fmt::format("cp.async.ca.shared.global [{}], [g], 4;", any({"s", "t"})));
    if (chance(4))
      return emit(fmt::format("cp.async.mbarrier.arrive{}.shared.b64 [bar];", any({"", ".noinc"})));
    if (!chance(3)) emit("cp.async.commit_group;");
  }

  void bulk_load() {
    if (!chance(4))
      emit(fmt::format("mbarrier.arrive.expect_tx.shared.b64 _, [bar], {};", any({"16", "16", "32"})));
    emit("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [bar];");
  }

  void bulk_store() {
    emit("cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;");
    if (!chance(4)) emit("cp.async.bulk.commit_group;");
  }

  void wait_for_group() {
    emit(any({"cp.async.wait_all;", "cp.async.wait_group 0;", "cp.async.wait_group 1;",
              "cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;"}));
    load("");
  }

  void wait_for_phase() {
    if (chance(3)) emit("mbarrier.arrive.shared.b64 _, [bar];");
    emit(fmt::format("mbarrier.test_wait.parity{}.shared.b64 p0, [bar], 0;", any({"", "", ".relaxed.cta"})));
    load("@p0 ");
  }

  void load(const std::string& guard) {
    const std::string name = fmt::format("r{}", registers_++);
    shown_.push_back(fmt::format("P{}:{}", thread_, name));
    const bool is_shared = !chance(3);
    emit(fmt::format("{}ld.{}.u32 {}, [{}];", guard, is_shared ? "shared" : "global", name,
                     is_shared ? any({"s", "s", "t"}) : "g"));
  }

  std::string header(unsigned threads) {
    return fmt::format(
        "PTX random-{}\n{{ .shared s : u32[4] = {{0}}; .shared t : u32[4] = {{0}}; g : u32[4] = {{1, 2, 3, "
        "4}}; "
        ".shared bar : mbarrier = {}; }}\n",
        seed_, 1 + below(threads));
  }

  static std::string body(const std::vector<Code>& codes) {
    std::string text;
    std::size_t rows = 0;
    for (std::size_t thread = 0; thread < codes.size(); ++thread) {
      text += fmt::format("{} P{}@cta 0,cluster 0,gpu 0 ", thread == 0 ? "" : "|", thread);
      rows = std::max(rows, codes[thread].size());
    }
    for (std::size_t row = 0; row < rows; ++row) {
      text += ";\n";
      for (std::size_t thread = 0; thread < codes.size(); ++thread)
        text += fmt::format("{} {} ", thread == 0 ? "" : "|",
                            row < codes[thread].size() ? codes[thread][row] : "");
    }
    return text + ";\n";
  }

  std::string question() {
    std::string shown;
    for (const std::string& name : shown_) shown += name + "; ";
    return fmt::format("locations [{}g[0]; ]\nexists (g[0] == {})\n", shown, any({"0", "1", "7"}));
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  unsigned thread_ = 0, registers_ = 0;
  Code code_;
  std::vector<std::string> shown_;
};

}  // namespace

std::string random_copies(std::uint64_t seed) { return Generator(seed).text(); }

}  // namespace ptxmc
