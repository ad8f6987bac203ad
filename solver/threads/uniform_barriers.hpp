#pragma once

#include "solver/threads/open_suspects.hpp"

namespace ptxmc {

/// Whether all threads that can meet at barriers and exchanges do so:
///
/// - The barriers of the CTA that a thread executes are the first ones of those that any other thread of the
///   CTA executes. So the n-th arrivals of all threads are at the same barrier, and a thread that executes
///   fewer has ended, where the others do not wait for it (PTX ISA 8.7 § 9.7.13.1).
/// - All threads of a warp execute the same aligned barriers, `bar.warp.sync`, and exchanges. A thread that
///   executes none of these after a barrier that is not aligned may leave it out.
/// - All lanes that execute an `activemask` together execute the same exchanges with its result as
/// membermask.
///
/// Then no warp diverges, and if all loops end, no thread waits for ever.
bool are_meetings_uniform(OpenQuestions&, OpenSuspects&);

}  // namespace ptxmc
