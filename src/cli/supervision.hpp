#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

namespace ptxmc {

struct CommonOptions;

/// A picture may take so many seconds, even if deciding has left less of the limit.
constexpr double least_seconds_for_drawing = 1;

/// What one input (a test, a launch, a model) may take, counted from the construction on: reading it
/// included.
class Budget {
 public:
  /// 0 seconds, 0 bytes: no limit.
  Budget(double seconds, std::uint64_t bytes);
  /// `--timeout` and `--memory`.
  explicit Budget(const CommonOptions&);

  double seconds_spent() const;
  /// At least a millisecond; 0 where there is no limit.
  double seconds_left() const;
  std::uint64_t memory_bytes() const { return memory_bytes_; }
  /// A budget that begins now and has spent so many seconds before, but at least `least` left.
  Budget begun_before(double seconds_spent, double least = 0) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
  std::uint64_t memory_bytes_;
};

/// Calls `work` in a thread of its own, under a TimeLimit and a MemoryLimit. Where `work` has not ended a
/// short grace after a limit is reached, or after an interruption, it is given up: OutOfTime is thrown, and
/// the thread goes on alone. So `work` must own all that it uses, or use what lives as long as the process.
/// What `work` throws is thrown here.
void run_supervised(const Budget&, std::function<void()> work);

/// The same for a function with a result.
template <class Work>
auto supervised(const Budget& budget, Work work) {
  auto result = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
  run_supervised(budget, [result, work = std::move(work)] { result->emplace(work()); });
  return std::move(**result);
}

/// Some work was given up and may still run: the process can only be ended at once (std::_Exit), since
/// destructors of static objects would take from that work what it uses.
bool has_work_given_up();

}  // namespace ptxmc
