#pragma once

#include <optional>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"
#include "solver/algebra/known_values.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// The only execution of a program without races: the value of each term, and the final memory.
struct OnlyExecution {
  KnownValues values;
  std::vector<std::vector<Bits>> final_memory;  ///< by variable, then element
};

/// Runs threads that read and write memory and wait at barriers of their CTA, one after the other from
/// barrier to barrier, in time that grows with the number of events. Empty if the program may have another
/// execution, or does not satisfy the requirements of the proof below:
/// - reads and writes of constant addresses through the generic proxy, of which any two access the same bytes
///   or have no byte in common; no read-modify-writes, no fences, no
///   asynchronous operations;
/// - one barrier a CTA, at which all of its threads arrive equally often, independently of reads, and wait;
/// - threads only end at the end of their code.
/// Two accesses to one location, one of them a write, are ordered if they belong to one thread, or if a
/// barrier of both threads is between them. If all such pairs are ordered, no other execution is consistent
/// with the embedded models of PTX. Suppose that there is one. In the earliest phase with a read that takes
/// another write, consider such a read that is the first of its thread. Its source is not a write of an
/// earlier phase than the right one, since causality order puts the right one between them; nor of a later
/// phase, since causality order puts that after the read (PTX ISA 8.7 § 8.10.6); nor of its own thread
/// (§ 8.10.5). So it is a write of this phase by another thread, which exists only because an earlier read of
/// that thread takes another write. The same argument applies to the first such read of that thread, and so
/// on without end: `rf` and dependencies form a cycle, which No-Thin-Air excludes (§ 8.10.4).
std::optional<OnlyExecution> run_without_races(const EventStructure&);

/// Answers a question with this execution, if it is the only one. Final states come without witnesses.
std::optional<Answer> answer_without_races(const EventStructure&, const Question&, const DecideOptions&);

}  // namespace ptxmc
