#pragma once

#include "src/kernel/unfolding/stop.hpp"
#include "src/kernel/unfolding/thread_groups.hpp"

namespace ptxmc::kernel {

/// Whether two stops without a membermask are one at which the two threads are active together, given that
/// both threads arrive; width 1.
Bits are_together(const Stop&, const Stop&);

/// For each thread and each of its stops, the threads of its group that it may meet there, in launches where
/// this depends on values that are read.
///
/// PTX ISA 8.7 § 9.7.9.6, § 9.7.13.9, …: a thread waits until all threads of its membermask that have not
/// exited have executed the instruction with the same qualifiers and the same membermask. So the n-th such
/// exchange of one thread meets the n-th of the others, at whatever position in the code.
std::vector<std::vector<Meeting>> encounters(const std::vector<std::vector<Stop>>& stops,
                                             const ThreadGroups&);

}  // namespace ptxmc::kernel
