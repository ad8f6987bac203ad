#pragma once

#include <initializer_list>

#include "solver/launch/launch_question.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

/// What holds in every execution of a launch under a schedule of its barriers, without relations of the
/// model: no choice of values makes a condition true, or barriers order two accesses.
class LaunchFacts {
 public:
  /// The arguments must outlive it. The reads of the structure are settled.
  LaunchFacts(const LaunchQuestion&, const EventStructure&, const BarrierSchedule&, const DecideOptions&,
              TermGraph&);

  const LaunchQuestion& question() const { return question_; }
  const EventStructure& structure() const { return structure_; }
  const BarrierSchedule& schedule() const { return schedule_; }
  const BarrierOrder& order() const { return order_; }
  const OrderedAccesses& accesses() const { return accesses_; }
  TermGraph& graph() const { return graph_; }

  /// Whether barriers order all accesses that may conflict.
  bool is_ordered() const { return is_ordered_; }
  /// Whether some values make the condition (width 1) true, or the solver does not know.
  bool may_be(const Bits& condition);
  /// The condition that some thread ends in one of these ways.
  Bits some_end(std::initializer_list<Ending::Kind>) const;

 private:
  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  const BarrierOrder order_;
  const OrderedAccesses accesses_;
  const bool is_ordered_;
  TermGraph& graph_;
  SmtSolver solver_;
};

}  // namespace ptxmc
