#pragma once

#include <chrono>
#include <cstdint>

namespace ptxmc {

/// How large the process may grow while the limit lives: long computations of this thread look at it,
/// wherever they look at the time (time_limit.hpp).
class MemoryLimit {
 public:
  /// 0 bytes: no limit but that of an outer one.
  explicit MemoryLimit(std::uint64_t bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  /// The limit of this thread, if it has one, is reached. Looks only now and then.
  static bool is_reached();

 private:
  using Clock = std::chrono::steady_clock;

  MemoryLimit* outer_;
  const std::uint64_t bytes_;
  Clock::time_point next_look_;
  static thread_local MemoryLimit* current_;
};

/// The memory that the process has now, in bytes; 0 where the system does not tell.
std::uint64_t resident_memory();

}  // namespace ptxmc
