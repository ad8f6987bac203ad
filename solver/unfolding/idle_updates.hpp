#pragma once

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether iterations that atomically write back the value that they have read (`atom.exch` on a lock that is
/// taken) may be left out of the executions of these events without losing a final state, a race or a hang.
/// The structure is unfolded without them (UnfoldOptions::unchanged_is_idle): each such iteration occurs once
/// and ends its thread as spinning.
///
/// This holds in the embedded models of PTX if every access that can overlap such an update U is morally
/// strong with U. Remove U from a consistent execution, and let the reads that read from U read from the
/// write W that U has read from:
/// - every other write of these bytes is before or after U in coherence order, and none is between W and U
///   (PTX ISA 8.7 § 8.10.3), so the same writes follow the reads as before;
/// - the reads that observed U observe W (§ 8.9.2): no new pair synchronizes, and causality order and
///   coherence order only lose pairs. A cycle with a step from W to a read existed before, through U (§
///   8.10.4 to § 8.10.6);
/// - W has the same value, and is the last write of its bytes if U was. This fails for a weak access: it may
///   read from U a value that comes from a later write of its own thread (docs/soundness.md, Loops that
///   wait).
/// And in those of scoped C++, where morally strong accesses are atomic and in each other's scope: U
/// continues the release sequences that W is in, so that what synchronizes through the new reads-from did so
/// before; extended coherence order and the order of seq_cst operations only lose pairs; a race of two other
/// accesses is one without U too, since happens before only loses pairs.
bool may_leave_out_idle_updates(const EventStructure&);

}  // namespace ptxmc
