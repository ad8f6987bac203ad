#pragma once

#include <chrono>
#include <cstdint>

namespace ptxmc {

/// A limit on the memory of the process while this object exists. Long computations of this thread check it
/// where they check the time (time_limit.hpp).
class MemoryLimit {
 public:
  /// 0 bytes: no limit beyond that of an enclosing MemoryLimit.
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// Whether the limit of this thread, if any, is reached. The memory is measured only at intervals.
  static bool is_reached();
  /// The bytes of the limit of this thread; 0 if there is none.
  static std::uint64_t bytes() { return current_ == nullptr ? 0 : current_->bytes_; }

 private:
  using Clock = std::chrono::steady_clock;

  MemoryLimit* outer_;
  const std::uint64_t bytes_;
  Clock::time_point next_look_;
  static thread_local MemoryLimit* current_;
};

/// Whether the process has more memory than so many bytes, also after it has returned to the system what it
/// has freed.
bool needs_more_than(std::uint64_t bytes);

/// Memory that is freed stays with the process until needs_more_than returns it. By default glibc returns
/// large blocks at once, and each page that is used again costs a fault. It concerns the whole process, so
/// that only programs call it, before they start threads.
void keep_freed_memory();

/// The bytes of memory of the machine, or of the container in which the process runs.
std::uint64_t machine_memory();

/// The bytes that computations of this thread may have: its limit, or else the memory of the machine.
std::uint64_t available_memory();

/// The resident memory of the process in bytes; 0 if the system does not provide it.
std::uint64_t resident_memory();

}  // namespace ptxmc
