#include "solver/limits/memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ptxmc {

thread_local MemoryLimit* MemoryLimit::current_ = nullptr;

namespace {

/// Returns freed memory to the system.
void give_memory_back() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace

std::uint64_t resident_memory() {
  std::uint64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t machine_memory() {
  std::uint64_t bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t limit = 0;  // the file may say "max"
    if (std::ifstream(file) >> limit && limit > 0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

std::uint64_t available_memory() {
  const std::uint64_t limit = MemoryLimit::bytes();
  return limit != 0 ? limit : machine_memory();
}

MemoryLimit::MemoryLimit(std::uint64_t bytes)
    : outer_(current_), bytes_(bytes == 0 && current_ ? current_->bytes_ : bytes), next_look_(Clock::now()) {
  current_ = this;
}

MemoryLimit::~MemoryLimit() { current_ = outer_; }

/// Memory that earlier computations have freed may still belong to the process, so it is returned before the
/// second measurement.
bool MemoryLimit::is_reached() {
  constexpr std::chrono::milliseconds between_looks(10);
  if (current_ == nullptr || current_->bytes_ == 0) return false;
  const Clock::time_point now = Clock::now();
  if (now < current_->next_look_) return false;
  if (resident_memory() > current_->bytes_) {
    give_memory_back();
    if (resident_memory() > current_->bytes_) return true;
  }
  current_->next_look_ = now + between_looks;
  return false;
}

}  // namespace ptxmc
