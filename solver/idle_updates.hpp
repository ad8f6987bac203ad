#pragma once

#include "model/event.hpp"

namespace ptxmc {

/// Whether iterations that write back atomically what they have read (`atom.exch` on a lock that is taken)
/// may be left out of the executions of these events: no final state, no race and no hang is lost by it. The
/// structure is unfolded without them (UnfoldOptions::unchanged_is_idle), so each of them is there once, up
/// to where the thread spins.
///
/// It is so in the models of PTX that come along where every access that can overlap such an update U is
/// morally strong with it. Take U out of a consistent execution, and let what has read from U read from the
/// write W that U has read from:
/// - every other write of these bytes stands before or after U in coherence; between W and U there is none
///   (PTX ISA 8.7 § 8.10.3), so the reads have the same writes after them as before;
/// - W is observed where U was (§ 8.9.2), by the same reads: nothing new synchronizes, causality and
/// coherence
///   are parts of what they were. A cycle that goes from W to a read goes through U as well when that is
///   there (§ 8.10.4 to § 8.10.6);
/// - W holds the same value, and is the last write of its bytes where U was.
/// A weak access makes a difference: it may read from U what U has from a write behind it in its own thread
/// (docs/soundness.md, Loops that wait).
bool may_leave_out_idle_updates(const EventStructure&);

}  // namespace ptxmc
