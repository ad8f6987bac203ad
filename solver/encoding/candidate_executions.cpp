#include "solver/encoding/candidate_executions.hpp"

#include "model/cat/embedded_models.hpp"
#include "solver/encoding/float_tables.hpp"
#include "solver/meetings/certain_barriers.hpp"
#include "solver/meetings/chosen_phases.hpp"
#include "solver/meetings/settled_reads.hpp"

namespace ptxmc {

namespace {

/// The condition that values before and after settling of reads are equal.
Bits is_settled_so(const EventStructure& before, const EventStructure& after) {
  Bits result = Bits::boolean(true);
  for (std::size_t i = 0; i < before.events.size(); ++i)
    if (before.events[i].is_read() && !identical(before.events[i].value, after.events[i].value))
      result = result & equal(before.events[i].value, after.events[i].value);
  return result;
}

/// Adds exchanges between lanes to the barrier phases. `passed`: see CertainBarriers.
void add_exchanges(const CandidateExecutions& candidates, const EventStructure& settled, Substitution& passed,
                   BarrierPhases& phases) {
  phases.exchanges = candidates.exchanges;
  for (WarpExchange& exchange : phases.exchanges) {
    exchange.condition = passed.apply(exchange.condition);
    for (auto* const awaited : {&exchange.exchanges, &exchange.endings})
      for (WarpExchange::Awaited& one : *awaited) one.when = passed.apply(one.when);
  }
  if (candidates.exchanges_depend_on_reads)
    phases.constraints.push_back(is_settled_so(*candidates.structure, settled));
}

}  // namespace

EventStructure with_settled_reads(const EventStructure& structure, bool has_axioms_of_ptx,
                                  const BarrierSchedule& schedule) {
  if (!has_axioms_of_ptx) return structure;
  return with_float_tables(with_settled_reads(structure, schedule));
}

SettledCandidates settle(const CandidateExecutions& candidates, const cat::Model& model, TermGraph& graph) {
  const EventStructure& structure = *candidates.structure;
  SettledCandidates result;
  result.structure = with_settled_reads(structure, cat::has_axioms_of_ptx(model),
                                        BarrierSchedule(structure.events.size(), -1));
  Substitution passed;
  if (structure.program->arrivals == Arrivals::by_warp) {
    CertainBarriers common = with_common_phases(std::move(result.structure));
    result.structure = std::move(common.structure);
    passed = std::move(common.passed);
  }
  result.phases = choose_barrier_phases(result.structure, graph);
  if (has_barriers(structure) || !candidates.exchanges.empty())
    result.phases.reads_behind = ReadsBehind(structure);
  add_exchanges(candidates, result.structure, passed, result.phases);
  result.assumption = candidates.assumption;
  return result;
}

}  // namespace ptxmc
