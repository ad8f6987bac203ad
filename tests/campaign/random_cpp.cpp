#include "tests/campaign/random_cpp.hpp"

#include <fmt/format.h>

#include <random>
#include <span>
#include <string_view>

namespace ptxmc {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view places[] = {"x", "y"};
constexpr std::string_view load_orders[] = {"relaxed", "acquire", "seq_cst"};
constexpr std::string_view store_orders[] = {"relaxed", "release", "seq_cst"};
constexpr std::string_view orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::string_view scopes[] = {"work_item", "block", "cluster", "device", "device", "system"};
constexpr std::string_view updates[] = {"fetch_add", "fetch_or", "exchange"};

class Writer {
 public:
  explicit Writer(std::uint64_t seed)
      : random_(seed), has_scopes_(below(2) == 0), has_barriers_(below(8) == 0) {}

  std::string test() {
    const std::uint64_t threads = 2 + below(2);
    std::string text = "C random\n{ x = 0; y = 0; }\n";
    for (std::uint64_t i = 0; i < threads; ++i) text += thread(i, threads == 2 ? 3 : 2);
    return text + fmt::format("locations [x; y;{}]\nexists (x=1 /\\ y=1)\n", shown_);
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::string_view one_of(Words words) { return words[below(words.size())]; }
  std::string order(Words words) { return fmt::format("memory_order_{}", one_of(words)); }
  std::string scope() { return has_scopes_ ? fmt::format(", memory_scope_{}", one_of(scopes)) : ""; }

  std::string new_register(std::uint64_t thread) {
    shown_ += fmt::format(" {}:r{};", thread, registers_);
    return fmt::format("r{}", registers_++);
  }

  std::string value() {
    const std::uint64_t choice = below(6);
    if (registers_ == 0 || choice < 2) return std::to_string(1 + choice % 2);
    const std::uint64_t last = registers_ - 1;
    if (choice == 2) return fmt::format("r{} * 0 + 1", last);
    if (choice == 3) return fmt::format("(r{0} == r{0})", last);
    return fmt::format("r{}{}", last, choice == 4 ? " + 1" : "");
  }

  /// A statement that may stand under a condition.
  std::string write() {
    const std::string_view place = one_of(places);
    const std::string stored = value();
    if (below(12) == 0) return fmt::format("*(volatile int*){} = {};", place, stored);
    if (below(12) == 0) return fmt::format("*(int*){} = {};", place, stored);
    return fmt::format("atomic_store_explicit({}, {}, {}{});", place, stored, order(store_orders), scope());
  }

  std::string statement(std::uint64_t thread) {
    const std::string_view place = one_of(places);
    switch (below(10)) {
      case 0:
        return fmt::format("atomic_thread_fence({}{});", order(Words(orders).subspan(1)), scope());
      case 1: {
        const std::string result = new_register(thread);
        return fmt::format(
            "int {0} = {1}; atomic_compare_exchange_strong_explicit({2}, &{0}, 2, {3}, {4}{5});", result,
            below(2), place, order(orders), order(load_orders), scope());
      }
      case 2:
        return fmt::format("int {} = atomic_{}_explicit({}, {}, {}{});", new_register(thread),
                           one_of(updates), place, 1 + below(2), order(orders), scope());
      case 3:
        if (registers_ > 0) return fmt::format("if (r{} == 1) {{ {} }}", registers_ - 1, write());
        return write();
      case 4:
      case 5:
      case 6:
        return write();
      case 7:
        return fmt::format("int {} = *(volatile int*){};", new_register(thread), place);
      default:
        return fmt::format("int {} = atomic_load_explicit({}, {}{});", new_register(thread), place,
                           order(load_orders), scope());
    }
  }

  std::string thread(std::uint64_t number, std::uint64_t operations) {
    registers_ = 0;
    const std::uint64_t barrier = has_barriers_ ? below(operations) : operations;
    std::string text = has_barriers_ ? fmt::format("P{}@cta 0,gpu 0", number)
                                     : fmt::format("P{}@cta {},gpu {}", number, below(2), below(3) / 2);
    text += " (atomic_int* x, atomic_int* y) {\n";
    for (std::uint64_t i = 0; i < operations; ++i) {
      if (i == barrier) text += "  __syncthreads();\n";
      text += fmt::format("  {}\n", statement(number));
    }
    return text + "}\n";
  }

  std::mt19937_64 random_;
  bool has_scopes_, has_barriers_;
  std::uint64_t registers_ = 0;  ///< of the current thread
  std::string shown_;
};

}  // namespace

std::string random_cpp(std::uint64_t seed) { return Writer(seed).test(); }

}  // namespace ptxmc
