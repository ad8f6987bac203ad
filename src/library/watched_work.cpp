#include "src/library/watched_work.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/library/public_errors.hpp"

namespace ptxmc {

namespace {

constexpr std::chrono::milliseconds between_calls(100);

DecideOptions decide_options(const v1::Options& options, const std::atomic<bool>* stop) {
  DecideOptions result;
  result.bound = options.bound;
  result.max_events = options.max_events;
  result.timeout_seconds = options.timeout_seconds;
  result.memory_bytes = options.memory_bytes;
  result.jobs = options.jobs;
  result.interrupted = stop;
  return result;
}

void run_limited(const DecideOptions& options, const WatchedWork& work) {
  const TimeLimit time(options.timeout_seconds, options.interrupted);
  const MemoryLimit memory(options.memory_bytes);
  work(options);
}

/// The work in its thread, and what the asking thread knows of it.
class Watch {
 public:
  explicit Watch(const v1::Options& options) : options_(options) {}

  void run(const WatchedWork& work) {
    DecideOptions decide = decide_options(options_, &stop_);
    decide.on_progress = [this](const ExplorationProgress& now) { note(now); };
    std::thread thread([&] { perform(decide, work); });
    const std::exception_ptr of_callback = look_on();
    thread.join();
    if (of_callback) throw ThrownByCallback{of_callback};
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void note(const ExplorationProgress& now) {
    const std::lock_guard lock(mutex_);
    progress_.stage = now.estimate > 0 ? v1::Progress::Stage::exploring : v1::Progress::Stage::solving;
    progress_.estimated_executions = now.estimate;
    progress_.executions = now.executions;
  }

  void perform(const DecideOptions& decide, const WatchedWork& work) {
    std::exception_ptr failure;
    try {
      run_limited(decide, work);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    is_done_ = true;
    ended_.notify_one();
  }

  /// Calls the callback until the work has ended. Returns the exception that it throws.
  std::exception_ptr look_on() {
    std::exception_ptr thrown;
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, between_calls, [this] { return is_done_; })) {
      if (options_.stop != nullptr && *options_.stop) stop_ = true;
      if (stop_) continue;
      v1::Progress now = progress_;
      now.seconds = stopwatch_.seconds();
      lock.unlock();
      try {
        if (!options_.on_progress(now)) stop_ = true;
      } catch (...) {
        thrown = std::current_exception();
        stop_ = true;
      }
      lock.lock();
    }
    return thrown;
  }

  const v1::Options& options_;
  const Stopwatch stopwatch_;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  v1::Progress progress_;
  bool is_done_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void run_watched(const v1::Options& options, const WatchedWork& work, const GiveUp& give_up) {
  const Stopwatch stopwatch;
  const auto exceeds = [&](const std::string& limit) { give_up(limit, stopwatch.seconds()); };
  try {
    if (options.on_progress)
      Watch(options).run(work);
    else
      run_limited(decide_options(options, options.stop), work);
  } catch (const OutOfTime& out) {
    exceeds(out.what());
  } catch (const std::bad_alloc&) {
    exceeds("out of memory");
  }
}

v1::Options with_grace(const v1::Options& options) {
  constexpr double grace_seconds = 2;
  v1::Options result = options;
  if (result.timeout_seconds > 0) result.timeout_seconds += grace_seconds;
  return result;
}

}  // namespace ptxmc
