#pragma once

#include <cstdint>
#include <string>

namespace ptxmc {

/// A litmus test made of a seed: two to four threads in CTAs and GPUs, a few accesses of all orders and
/// scopes, fences, atomic operations, dependencies through values, addresses and branches, loops, barriers
/// with ids, counts and results, aliases and proxies, accesses of several sizes. Equal seeds make equal
/// tests. With barriers, every test may have some, not one in four.
std::string random_litmus(std::uint64_t seed, bool with_barriers = false);

/// The same, of two to four threads in one CTA, two in each or one, that run one code, and at times one that
/// runs another; with barriers. Memory is shown, and at last all registers of the threads if they are to be
/// told apart: then no two of them can change places.
std::string random_alike_threads(std::uint64_t seed, bool are_told_apart);

}  // namespace ptxmc
