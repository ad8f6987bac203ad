#pragma once

#include <cstdint>

namespace ptxmc::test {

/// Two locations of memory.
constexpr std::uint64_t x = 0x100, y = 0x200;

}  // namespace ptxmc::test
