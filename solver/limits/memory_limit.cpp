#include "solver/limits/memory_limit.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

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

bool needs_more_than(std::uint64_t bytes) {
  if (resident_memory() <= bytes) return false;
  give_memory_back();
  return resident_memory() > bytes;
}

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int largest_block = 32 << 20, added_at_once = 16 << 20;  // bytes; glibc takes no larger block
  mallopt(M_MMAP_THRESHOLD, largest_block);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, added_at_once);
#endif
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

bool MemoryLimit::is_reached() {
  constexpr std::chrono::milliseconds between_looks(10);
  if (current_ == nullptr || current_->bytes_ == 0) return false;
  const Clock::time_point now = Clock::now();
  if (now < current_->next_look_) return false;
  if (needs_more_than(current_->bytes_)) return true;
  current_->next_look_ = now + between_looks;
  return false;
}

}  // namespace ptxmc
