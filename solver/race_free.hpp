#pragma once

#include <optional>

#include "model/cat_model.hpp"
#include "model/event.hpp"
#include "solver/decide.hpp"
#include "solver/known_values.hpp"

namespace ptxmc {

/// The one execution of a program without races, as values: what every term is, and what is in memory.
struct OnlyExecution {
  KnownValues values;
  std::vector<std::vector<Bits>> final_memory;  ///< by variable, then element
};

/// Runs threads that read and write memory and meet at barriers of their CTA, one after the other from
/// barrier to barrier, in time that grows with the number of events. None: the program may have another
/// execution, or is not of the kind for which that is known:
/// - reads and writes of constant addresses through the generic proxy, two of them of the same bytes or of
///   none in common; no read-modify-writes, no fences;
/// - one barrier a CTA, at which all of its threads arrive equally often, whatever they read, and wait;
/// - threads only end at their ends.
/// Two accesses to one place, one of them a write, are ordered when a barrier that both threads meet at
/// stands between them, or they are of one thread. When all are, no other execution is consistent with the
/// models of PTX that come along: of the reads of an earliest phase that read something else, take one that
/// is the first of its thread. What it reads from is no write of an earlier phase than the right one, which
/// causality puts between them; nor of a later phase, which causality puts behind it (PTX ISA 8.7 § 8.10.6);
/// nor of its own thread (§ 8.10.5). So it is a write of this phase of another thread, which there is only
/// because a read before it in that thread reads something else: `rf` and dependencies lead from the first
/// such read to the one at hand, and so on without end, which No-Thin-Air excludes (§ 8.10.4).
std::optional<OnlyExecution> run_without_races(const EventStructure&);

/// Answers a question by this execution, when it is the only one. Final states come without witnesses.
std::optional<Answer> answer_without_races(const EventStructure&, const Question&, const DecideOptions&);

}  // namespace ptxmc
