#include "src/cli/supervision.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "solver/limits/memory_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/interruption.hpp"

namespace ptxmc {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr Seconds between_looks(0.02);
/// Work that checks its limits ends within this grace period, and its partial answer is used.
constexpr Seconds least_grace(0.6);
constexpr double share_of_grace = 0.06;
constexpr const char* memory_reason = "memory limit";
constexpr double most_memory = 1.1;  // times the limit: beyond it work is abandoned without a grace period

std::atomic<bool> some_given_up = false;

/// State that the supervisor and the working thread share; it lives as long as either of them.
struct SharedState {
  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  std::exception_ptr failure;
};

/// Work that was abandoned because of its memory, which it holds until it ends.
class HeldMemory {
 public:
  void add(std::shared_ptr<SharedState> progress) {
    const std::lock_guard lock(mutex_);
    holders_.push_back(std::move(progress));
  }

  /// Waits at most so many seconds (0: no limit) for the work to end, and then no more. Meanwhile other work
  /// may be abandoned.
  void wait(double seconds) {
    const Clock::time_point start = Clock::now();
    const auto waited = holders();
    for (const auto& holder : waited) {
      std::unique_lock own(holder->mutex);
      while (!holder->is_done && !interrupted() && (seconds == 0 || Clock::now() - start < Seconds(seconds)))
        holder->ended.wait_for(own, between_looks);
    }
    const std::lock_guard lock(mutex_);
    std::erase_if(holders_,
                  [&](const auto& holder) { return std::ranges::find(waited, holder) != waited.end(); });
  }

 private:
  std::vector<std::shared_ptr<SharedState>> holders() {
    const std::lock_guard lock(mutex_);
    return holders_;
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<SharedState>> holders_;
};

HeldMemory held_memory;

/// Checks whether a condition has been true for longer than the grace period.
class Lasting {
 public:
  bool note(bool is_so, Clock::time_point now) {
    if (!is_so || !was_so_) since_ = now;
    was_so_ = is_so;
    return now - since_ > least_grace;
  }

 private:
  bool was_so_ = false;
  Clock::time_point since_ = Clock::now();
};

/// Decides when work is abandoned.
class Supervisor {
 public:
  Supervisor(double seconds, std::uint64_t memory_bytes) : memory_bytes_(memory_bytes), seconds_(seconds) {}

  /// Empty while the work may continue.
  std::string reason_to_give_up() {
    const Clock::time_point now = Clock::now();
    const Seconds grace = std::max(least_grace, Seconds(share_of_grace * seconds_));
    if (seconds_ > 0 && now - start_ > Seconds(seconds_) + grace) return "timeout";
    if (interruption_.note(interrupted(), now)) return "interrupted";
    if (memory_bytes_ == 0) return {};
    const auto resident = static_cast<double>(resident_memory());
    const auto limit = static_cast<double>(memory_bytes_);
    if (resident > most_memory * limit || excess_.note(resident > limit, now)) return memory_reason;
    return {};
  }

 private:
  std::uint64_t memory_bytes_;
  double seconds_;
  Clock::time_point start_ = Clock::now();
  Lasting interruption_, excess_;
};

void perform(const std::function<void()>& work, double seconds, std::uint64_t bytes, SharedState& progress) {
  std::exception_ptr failure;
  try {
    const TimeLimit time(seconds, &interrupted());
    const MemoryLimit memory(bytes);
    work();
  } catch (const std::bad_alloc&) {
    failure = std::make_exception_ptr(OutOfTime("out of memory"));
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(progress.mutex);
  progress.failure = std::move(failure);
  progress.is_done = true;
  progress.ended.notify_one();
}

}  // namespace

Budget::Budget(double seconds, std::uint64_t bytes) : seconds_(seconds), memory_bytes_(bytes) {}

double Budget::seconds_spent() const { return Seconds(Clock::now() - start_).count(); }

double Budget::seconds_left() const {
  constexpr double least = 0.001;
  return seconds_ <= 0 ? 0 : std::max(least, seconds_ - seconds_spent());
}

Budget Budget::begun_before(double seconds_spent, double least) const {
  Budget result(seconds_, memory_bytes_);
  if (seconds_ > 0) result.seconds_ = std::max({seconds_ - seconds_spent, least, 0.001});
  return result;
}

void run_supervised(const Budget& budget, std::function<void()> work) {
  const auto progress = std::make_shared<SharedState>();
  const double seconds = budget.seconds_left();
  const std::uint64_t bytes = budget.memory_bytes();
  if (bytes != 0) held_memory.wait(seconds);
  Supervisor supervisor(seconds, bytes);
  std::thread thread([=, work = std::move(work)] { perform(work, seconds, bytes, *progress); });
  std::unique_lock lock(progress->mutex);
  while (!progress->ended.wait_for(lock, between_looks, [&] { return progress->is_done; })) {
    const std::string reason = supervisor.reason_to_give_up();
    if (reason.empty()) continue;
    some_given_up = true;
    if (reason == memory_reason) held_memory.add(progress);
    thread.detach();
    throw OutOfTime(reason);
  }
  lock.unlock();
  thread.join();
  if (progress->failure) std::rethrow_exception(progress->failure);
}

bool has_work_given_up() { return some_given_up; }

}  // namespace ptxmc
