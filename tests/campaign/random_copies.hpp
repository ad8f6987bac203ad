#pragma once

#include <cstdint>
#include <string>

namespace ptxmc {

/// A litmus test made of a seed: one or two threads of a CTA with asynchronous copies of four bytes between
/// shared and global memory, groups and their waits, an mbarrier with arrivals, expected bytes and waits,
/// proxy fences, and ordinary accesses. Equal seeds make equal tests.
std::string random_copies(std::uint64_t seed);

}  // namespace ptxmc
