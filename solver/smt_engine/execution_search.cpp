#include "solver/smt_engine/execution_search.hpp"

#include <utility>

#include "solver/limits/time_limit.hpp"
#include "solver/unfolding/cut_off.hpp"

namespace ptxmc {

namespace {

SmtSolver::Limits limits(const DecideOptions& options) {
  return {TimeLimit::seconds_left(), options.memory_bytes, options.interrupted};
}

}  // namespace

ExecutionSearch::ExecutionSearch(SettledCandidates candidates, const cat::Model& model, const Flags& flags,
                                 const DecideOptions& options, TermGraph& graph)
    : model_(model),
      options_(options),
      assumption_(candidates.assumption),
      encoding_(std::move(candidates.structure), with_flags(model, flags), graph,
                std::move(candidates.phases)),
      solver_(limits(options)),
      reader_(encoding_.structure(), encoding_.algebra(), graph) {}

void ExecutionSearch::require_candidates() {
  for (const Bits& constraint : algebra().constraints()) solver_.add(constraint);
  solver_.add(assumption_);
}

void ExecutionSearch::require_executions() {
  encoding_.assert_executions(solver_);
  solver_.add(assumption_);
}

std::optional<std::string> ExecutionSearch::incomplete(std::span<const Bits> cut_off) {
  switch (find(cut_off)) {
    case Result::satisfiable:
      return cut_off_reason(structure(), options_.bound);
    case Result::unsatisfiable:
      return std::nullopt;
    case Result::unknown:
      return reason();
  }
  return std::nullopt;
}

Existence ExecutionSearch::exists(std::span<const Bits> conditions, std::span<const Bits> cut_off) {
  switch (find(conditions)) {
    case Result::satisfiable:
      return {Verdict::allowed, {}};
    case Result::unsatisfiable:
      if (auto more = incomplete(cut_off)) return {Verdict::unknown, *std::move(more)};
      return {Verdict::forbidden, {}};
    case Result::unknown:
      return {Verdict::unknown, reason()};
  }
  return {};
}

Witness ExecutionSearch::found() const {
  Witness witness = found_candidate();
  check_witness(model_, witness.execution);
  return witness;
}

}  // namespace ptxmc
