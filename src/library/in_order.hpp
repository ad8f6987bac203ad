#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace ptxmc {

/// Calls `work(i)` for 0 ≤ i < count in up to `jobs` threads (for one job: in the calling thread). Calls
/// `use(i, result)` in the calling thread, in order, as soon as all earlier results have been used.
/// Exceptions of `work` are rethrown.
template <class Work, class Use>
void in_order(std::size_t count, unsigned jobs, const Work& work, const Use& use) {
  if (jobs <= 1 || count <= 1) {  // a thread for a single item costs more than it gains
    for (std::size_t i = 0; i < count; ++i) use(i, work(i));
    return;
  }
  struct Slot {
    std::optional<decltype(work(std::size_t{}))> result;
    std::exception_ptr exception;
    bool done = false;
  };
  std::vector<Slot> slots(count);
  std::mutex mutex;
  std::condition_variable finished;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;

  const auto run = [&] {
    for (std::size_t i = next++; i < count && !stop; i = next++) {
      Slot made;
      try {
        made.result = work(i);
      } catch (...) {
        made.exception = std::current_exception();
      }
      made.done = true;
      const std::lock_guard lock(mutex);
      slots[i] = std::move(made);
      finished.notify_one();
    }
  };
  struct StopAtExit {
    std::atomic<bool>& stop;
    ~StopAtExit() { stop = true; }
  };
  std::vector<std::jthread> threads;
  const StopAtExit stop_at_exit{
      stop};  // declared after the threads, so that it is destroyed before they are joined
  for (unsigned i = 0; i < jobs && i < count; ++i) threads.emplace_back(run);

  for (std::size_t i = 0; i < count; ++i) {
    std::unique_lock lock(mutex);
    finished.wait(lock, [&] { return slots[i].done; });
    lock.unlock();
    if (slots[i].exception) std::rethrow_exception(slots[i].exception);
    use(i, std::move(*slots[i].result));
    slots[i].result.reset();
  }
}

}  // namespace ptxmc
