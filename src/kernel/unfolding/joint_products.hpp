#pragma once

#include "model/program/event.hpp"
#include "src/kernel/unfolding/thread_groups.hpp"

namespace ptxmc::kernel {

/// States that a matrix product of a warpgroup is one operation of all its threads: a wait of one thread for
/// its group is a wait for what all of them read (PTX ISA 8.7 § 9.7.15.7.2). The n-th products of the threads
/// of a warpgroup belong together. Throws Unsupported unless all threads start the same ones.
void join_products(EventStructure&, const ThreadGroups&);

}  // namespace ptxmc::kernel
