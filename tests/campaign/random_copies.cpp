#include "tests/campaign/random_copies.hpp"

#include <fmt/format.h>

#include <vector>

#include "src/litmus/litmus_columns.hpp"
#include "tests/asynchronous_spellings.hpp"
#include "tests/random_choices.hpp"

namespace ptxmc {

namespace {

using Code = std::vector<std::string>;

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed), random_(seed) {}

  std::string text() {
    const unsigned threads = 1 + random_.below(2);
    std::vector<LitmusColumn> columns;
    for (thread_ = 0; thread_ < threads; ++thread_)
      columns.push_back({"cta 0,cluster 0,gpu 0", code(threads == 1 ? 4 : 3)});
    return header(threads) + litmus_columns(columns) + question();
  }

 private:
  void emit(const std::string& line) { code_.push_back(line); }

  Code code(unsigned most) {
    code_.clear();
    registers_ = 0;
    for (unsigned steps = 2 + random_.below(most); steps > 0; --steps) step();
    return code_;
  }

  void step() {
    switch (random_.below(10)) {
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
        return emit(
            random_.any({"fence.proxy.async;", "fence.proxy.async.shared::cta;", "fence.acq_rel.cta;"}));
      case 7:
        return emit(
            fmt::format("st.{} [{}], {};", "shared.u32", random_.any({"s", "t"}), 7 + random_.below(2)));
      case 8:
        return emit(fmt::format("st.global.u32 [g], {};", 7 + random_.below(2)));
      default:
        return load("");
    }
  }

  void copy() {
    emit(ptxmc::copy(random_.any({"s", "t"}), "g", 4));
    if (random_.chance(4)) return emit(arrival_of_copies("bar", random_.chance(2)));
    if (!random_.chance(3)) emit("cp.async.commit_group;");
  }

  void bulk_load() {
    if (!random_.chance(4)) emit(arrival_expecting("bar", random_.chance(3) ? 32 : 16));
    emit(ptxmc::bulk_load("s", "g", 16, "bar"));
  }

  void bulk_store() {
    emit(ptxmc::bulk_store("g", "s", 16));
    if (!random_.chance(4)) emit("cp.async.bulk.commit_group;");
  }

  void wait_for_group() {
    emit(random_.any({"cp.async.wait_all;", "cp.async.wait_group 0;", "cp.async.wait_group 1;",
                      "cp.async.bulk.wait_group 0;", "cp.async.bulk.wait_group.read 0;"}));
    load("");
  }

  void wait_for_phase() {
    if (random_.chance(3)) emit("mbarrier.arrive.shared.b64 _, [bar];");
    emit(test_of_parity("test_wait", random_.any({"", "", ".relaxed.cta"}), "p0", "bar", "0"));
    load("@p0 ");
  }

  void load(const std::string& guard) {
    const std::string name = fmt::format("r{}", registers_++);
    shown_.push_back(fmt::format("P{}:{}", thread_, name));
    const bool is_shared = !random_.chance(3);
    emit(fmt::format("{}ld.{}.u32 {}, [{}];", guard, is_shared ? "shared" : "global", name,
                     is_shared ? random_.any({"s", "s", "t"}) : "g"));
  }

  std::string header(unsigned threads) {
    return fmt::format(
        "PTX random-{}\n{{ .shared s : u32[4] = {{0}}; .shared t : u32[4] = {{0}}; g : u32[4] = {{1, 2, 3, "
        "4}}; .shared bar : mbarrier = {}; }}\n",
        seed_, 1 + random_.below(threads));
  }

  std::string question() {
    std::string shown;
    for (const std::string& name : shown_) shown += name + "; ";
    return fmt::format("locations [{}g[0]; ]\nexists (g[0] == {})\n", shown, random_.any({"0", "1", "7"}));
  }

  const std::uint64_t seed_;
  RandomChoices random_;
  unsigned thread_ = 0, registers_ = 0;
  Code code_;
  std::vector<std::string> shown_;
};

}  // namespace

std::string random_copies(std::uint64_t seed) { return Generator(seed).text(); }

}  // namespace ptxmc
