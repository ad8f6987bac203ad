#include "solver/limits/memory_limit.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "solver/limits/time_limit.hpp"
#include "tests/sanitized.hpp"

using namespace ptxmc;

TEST_CASE("a process that has grown too large ends a computation; what is freed counts no more") {
  constexpr std::uint64_t megabyte = 1 << 20;
  if (resident_memory() == 0) return;  // the system does not tell
  CHECK(machine_memory() > resident_memory());
  CHECK(available_memory() == machine_memory());
  {
    const MemoryLimit least(1);
    CHECK(MemoryLimit::is_reached());  // what earlier tests have freed is given back
  }
  const MemoryLimit limit(resident_memory() + 40 * megabyte);
  CHECK(!MemoryLimit::is_reached());
  {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 60; ++i) blocks.emplace_back(megabyte, 'x');
    const MemoryLimit inner(0), larger(resident_memory() + 100 * megabyte);
    CHECK(!MemoryLimit::is_reached());
    const MemoryLimit smaller(resident_memory() - 10 * megabyte);
    CHECK(MemoryLimit::is_reached());
    CHECK_THROWS_WITH_AS(TimeLimit::check(), "memory limit", OutOfTime);
  }
  if (is_sanitized) return;  // AddressSanitizer keeps what is freed
  std::this_thread::sleep_for(std::chrono::milliseconds(11));
  CHECK(!MemoryLimit::is_reached());
}

TEST_CASE("what the process keeps of freed memory does not count") {
  constexpr std::uint64_t megabyte = 1 << 20;
  if (resident_memory() == 0 || is_sanitized) return;
  keep_freed_memory();
  const std::uint64_t before = resident_memory();
  {
    std::vector<std::vector<char>> blocks;
    for (int i = 0; i < 100; ++i) blocks.emplace_back(megabyte, 'x');
    CHECK(needs_more_than(before + 50 * megabyte));
  }
  CHECK(resident_memory() > before + 50 * megabyte);
  CHECK_FALSE(needs_more_than(before + 50 * megabyte));
}
