#pragma once

#include <cstdint>
#include <string>

namespace ptxmc {

/// A litmus test made of a seed: two to four threads in CTAs and GPUs, a few accesses of all orders and
/// scopes, fences, atomic operations, dependencies through values, addresses and branches, loops, barriers
/// with ids, counts and results, aliases and proxies, accesses of several sizes. Equal seeds make equal
/// tests. `with_barriers`: every test may have barriers; otherwise one in four.
std::string random_litmus(std::uint64_t seed, bool with_barriers = false);

/// The same, for two to four threads with the same code (and sometimes one thread with other code), in one
/// CTA, two in each CTA, or one in each; with barriers. The question shows memory; it also shows all
/// registers if threads must be distinguishable, so that no two of them are interchangeable.
std::string random_alike_threads(std::uint64_t seed, bool are_told_apart);

/// The same, for two or three threads with up to three arrivals each at one barrier with a count.
std::string random_arrivals(std::uint64_t seed);

/// The same, for two or three threads with operations on one or two mbarriers: arrivals of all kinds, waits
/// by parity and by token, transactions, and accesses before the arrivals and behind the waits.
std::string random_phases(std::uint64_t seed);

}  // namespace ptxmc
