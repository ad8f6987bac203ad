#pragma once

#include "solver/threads/thread_pair.hpp"

namespace ptxmc {

/// Whether two accesses may touch a common byte, if they see the same memory.
bool may_overlap(const Event&, const Event&);

/// Whether all bytes that an access may touch are in memory of which each CTA has its own.
bool is_in_shared_memory(const OpenThread&, const Event&);

/// The condition (width 1) that an access of the open thread and one of the other thread overlap, if both
/// happen and see the same memory.
Bits overlap_of(const Event& own, const Event& of_other, ThreadPair&);

/// Whether iterations that may write to these bytes are skipped between two steps of the thread.
bool may_skip_write(const OpenThread&, unsigned first, unsigned second, const Event& of_bytes);

}  // namespace ptxmc
