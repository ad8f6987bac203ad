#pragma once

#include "tests/kernel_campaign/random_kernel.hpp"

namespace ptxmc {

/// A small kernel made of a seed that moves data through shared memory: one to three threads, or a cluster of
/// two CTAs of one thread, in one of these patterns, with none, one or two mistakes:
/// - a ring of stages with full and empty mbarriers, filled by stores, `cp.async` or bulk copies;
/// - groups of `cp.async` and their waits;
/// - bulk stores and reductions in global memory, and their groups;
/// - `st.async`, `red.async`, bulk copies, reductions and arrivals in another CTA, and multicasts;
/// - an mbarrier at which threads meet, with tokens, parities, counts, transactions and threads that leave.
/// A mistake is a missing wait, arrival, fence, barrier or commit, a wrong parity, count, number of bytes,
/// scope or order, or a second initialization. A kernel without a mistake is safe; one with a single mistake
/// that always matters is not. Equal seeds make equal kernels.
RandomKernel random_asynchronous_kernel(std::uint64_t seed, const std::string& module_name);

}  // namespace ptxmc
