#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/program/execution.hpp"
#include "semantics/language/misuse.hpp"

namespace ptxmc {

/// The use of a barrier by an event, without the lane of its thread.
ObjectUse use_of(const Event&);

/// A thread of a warp that is not at the barrier of another one.
struct Absentee {
  int thread;
  EventId barrier = -1;  ///< its barrier in the place of this one; -1: it has exited
};

/// A thread of the same warp that does not execute a barrier of an execution together with the thread of the
/// event: the barriers that correspond to each other are a divergence in the table of misuses.
/// Empty if there is none.
std::optional<Absentee> divergence_at(const Execution&, EventId barrier);

/// Whether two arrivals at barriers of a CTA use different thread counts, or only one of them has a count. In
/// a misused phase (BarrierPhase::is_misused) there are two such arrivals.
bool use_different_counts(const Event&, const Event&);

/// The misuse that two arrivals are in one phase, which is complete or misused before; empty if it is none.
std::optional<Misuse> misuse_in_phase(const Event&, const Event&, bool is_complete);

/// The misuse that two arrivals of an execution are in one phase; empty if they are not, or if it is none.
std::optional<Misuse> misuse_in_phase(const Execution&, EventId, EventId);

/// Sentences about the undefined uses of an execution that are none according to the table of misuses.
std::vector<std::string> malformed_uses(const Execution&);

}  // namespace ptxmc
