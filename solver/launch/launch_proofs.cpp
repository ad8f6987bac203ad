#include "solver/launch/launch_proofs.hpp"

#include "solver/launch/property_table.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

bool is_impossible(LaunchProperty property, LaunchFacts& facts) {
  Bits some = Bits::boolean(false);
  for (const Suspect& suspect : visible_suspects(facts.structure(), property))
    some = some | suspect.condition;
  return !facts.may_be(some) && definition_of(property).is_excluded(facts);
}

}  // namespace

LaunchProofs prove(const LaunchQuestion& question, const EventStructure& structure,
                   const BarrierSchedule& schedule, const DecideOptions& options, TermGraph& graph) {
  LaunchFacts facts(question, structure, schedule, options, graph);
  LaunchProofs result;
  // PTX ISA 8.7 § 8.7.2: the axioms do not apply to a program with a mixed-size data race.
  if (!facts.is_ordered() && may_overlap_partially(structure)) return result;
  for (const LaunchProperty property : question.properties)
    if (is_impossible(property, facts)) result.impossible.insert(property);
  result.may_reach_bound = facts.may_be(facts.some_end({Ending::Kind::bound_reached}));
  return result;
}

}  // namespace ptxmc
