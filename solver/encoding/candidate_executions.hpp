#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"
#include "semantics/language/type.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "solver/meetings/barrier_schedules.hpp"

namespace ptxmc {

/// An input that a launch leaves open.
struct Input {
  std::string name;
  Type type;
  Bits value;
  bool matters = true;  ///< of a finding: whether the finding may depend on it
};
using Inputs = std::vector<Input>;

/// The executions that a question is about, before a model excludes some: the events of a litmus test or of a
/// launch, and what else is known about them. All questions about executions are asked of this, so that what
/// can be asked of a litmus test can be asked of a launch.
struct CandidateExecutions {
  const EventStructure* structure = nullptr;
  Inputs inputs = {};                     ///< findings contain their values
  Bits assumption = Bits::boolean(true);  ///< width 1, over unknown inputs
  /// The exchanges at which lanes wait for each other. They may be left out if no lane depends on a value
  /// that is read, all lanes arrive at exchanges and barriers in an order that is known, and no thread goes
  /// on behind a trap.
  std::vector<WarpExchange> exchanges = {};
  bool exchanges_depend_on_reads = false;  ///< reads decide which lanes wait for each other
  /// Dependencies through exchanges are given only by `exchanges`.
  bool are_meetings_chosen = false;

  /// Whether the events alone determine the executions: no input is open.
  bool are_closed() const { return inputs.empty() && assumption.is_true(); }
};

/// The same candidates as they are encoded: events with the values of reads that have only one possible
/// source, and the phases of their barriers.
struct SettledCandidates {
  EventStructure structure;
  BarrierPhases phases;
  Bits assumption = Bits::boolean(true);  ///< see CandidateExecutions
};

/// Settles reads under this schedule of the barriers, if the model has the axioms of PTX
/// (`cat::has_axioms_of_ptx`): it then orders accesses to one location along causality order, and forbids
/// values out of thin air.
EventStructure with_settled_reads(const EventStructure&, bool has_axioms_of_ptx, const BarrierSchedule&);

/// Settles reads, and lets unknowns choose the phases. Throws Unsupported for exchanges beside barriers with
/// which they cannot be combined.
SettledCandidates settle(const CandidateExecutions&, const cat::Model&, TermGraph&);

}  // namespace ptxmc
