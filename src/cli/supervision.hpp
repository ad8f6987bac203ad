#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

namespace ptxmc {

/// The time that drawing a picture has at least, in seconds, even if less of the limit is left.
constexpr double least_seconds_for_drawing = 1;

/// The time and memory that one input (a test, a launch, a model) may use. Time is counted from construction,
/// so it includes reading the input.
class Budget {
 public:
  /// 0 seconds, 0 bytes: no limit.
  Budget(double seconds, std::uint64_t bytes);

  double seconds_spent() const;
  /// At least a millisecond; 0 if there is no limit.
  double seconds_left() const;
  std::uint64_t memory_bytes() const { return memory_bytes_; }
  /// A budget that starts now with `seconds_spent` already used, and with at least `least` seconds left.
  Budget begun_before(double seconds_spent, double least = 0) const;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double seconds_;
  std::uint64_t memory_bytes_;
};

/// Calls `work` in a separate thread, under a TimeLimit and a MemoryLimit. If `work` has not ended within a
/// short grace period after a limit is reached, or after an interruption, it is abandoned: OutOfTime is
/// thrown, and the thread continues. Therefore `work` must own everything that it uses, except objects that
/// live as long as the process. Exceptions of `work` are rethrown.
/// Before `work` begins, other work that was abandoned because of its memory may end, for as long as `work`
/// may take itself: otherwise `work` would have too little memory.
void run_supervised(const Budget&, std::function<void()> work);

/// The same for a function with a result.
template <class Work>
auto supervised(const Budget& budget, Work work) {
  auto result = std::make_shared<std::optional<std::invoke_result_t<Work>>>();
  run_supervised(budget, [result, work = std::move(work)] { result->emplace(work()); });
  return std::move(**result);
}

/// Whether some work was abandoned and may still run. The process must then be ended with std::_Exit, since
/// destructors of static objects would destroy objects that this work uses.
bool has_work_given_up();

}  // namespace ptxmc
