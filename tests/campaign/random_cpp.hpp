#pragma once

#include <cstdint>
#include <string>

namespace ptxmc {

/// A test of scoped C++ made of a seed: two or three threads in blocks and GPUs with a few atomic and plain
/// accesses of two variables, of all orders and scopes, read-modify-writes, compare-and-swaps with both orders,
/// fences, barriers, conditions, and values that depend on what was read. Equal seeds make equal tests.
std::string random_cpp(std::uint64_t seed);

}  // namespace ptxmc
