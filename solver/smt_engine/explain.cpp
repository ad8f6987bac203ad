#include "solver/smt_engine/explain.hpp"

#include "solver/encoding/final_state.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {
namespace {

using Result = ExecutionSearch::Result;

class Explanations {
 public:
  Explanations(const CandidateExecutions& candidates, const Question& question, const cat::Model& model,
               const DecideOptions& options, TermGraph& graph)
      : model_(model),
        search_(settle(candidates, model, graph), model, ExecutionSearch::none, options, graph),
        memory_(search_.structure(), search_.algebra().atoms(), search_.encoding().coherence(), graph),
        claimed_memory_(search_.structure(), search_.algebra().atoms(), search_.encoding().coherence(), graph,
                        FinalMemory::Last::any),
        outcome_(asked(question, memory_)),
        claimed_(asked(question, claimed_memory_)) {
    search_.require_candidates();
    needed_.assign(model.axioms.size(), true);
  }

  Explanation run() {
    Explanation explanation;
    if (check(outcome_) != Result::unsatisfiable) return explanation;
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom) {
      needed_[axiom] = false;
      const Result result = check(outcome_);
      if (result == Result::unknown) {
        explanation.reason = search_.reason();
        return explanation;
      }
      needed_[axiom] = result == Result::satisfiable;
    }
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom) {
      if (!needed_[axiom]) continue;
      // An execution in which all other axioms hold is the best explanation. There is none if two axioms
      // forbid the same executions.
      const std::vector<bool> minimal = needed_;
      needed_.assign(needed_.size(), true);
      needed_[axiom] = false;
      const bool breaks_no_other = check(outcome_) == Result::satisfiable;
      if (!breaks_no_other) {
        needed_ = minimal;
        needed_[axiom] = false;
      }
      if (breaks_no_other || check(outcome_) == Result::satisfiable) {
        explanation.axioms.push_back(broken(axiom));
        explanation.axioms.back().breaks_no_other = breaks_no_other;
      }
      needed_ = minimal;
    }
    if (explanation.axioms.empty()) explanation.followed = followed_write();
    return explanation;
  }

 private:
  /// The condition that an execution ends in the outcome, with final values from this memory.
  Bits asked(const Question& question, FinalMemory& memory) const {
    const FinalValue value = [&](const FinalTerm& term) {
      return final_value(term, search_.structure(), memory);
    };
    const Bits condition = holds(question.condition, value);
    Bits result = search_.encoding().all_completed() & holds(question.filter, value) &
                  (question.quantifier == Quantifier::forall ? ~condition : condition);
    for (const Bits& constraint : memory.constraints()) result = result & constraint;
    return result;
  }

  Result check(const Bits& asked) {
    std::vector<Bits> wanted{asked};
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom)
      if (needed_[axiom]) wanted.push_back(search_.encoding().outcome().axioms[axiom]);
    return search_.find(wanted);
  }

  BrokenAxiom broken(std::size_t axiom) {
    BrokenAxiom result;
    result.name = model_.axioms[axiom].name;
    result.execution = search_.found_candidate().execution;
    result.execution.relations = judge(model_, result.execution).relations;
    result.because = violation(model_, axiom, result.execution);
    return result;
  }

  std::optional<FollowedWrite> followed_write() {
    for (const auto& choice : claimed_memory_.choices()) search_.include(choice.chosen);
    needed_.assign(needed_.size(), true);
    if (check(claimed_) != Result::satisfiable) return std::nullopt;
    Witness witness = search_.found();
    FollowedWrite result{std::move(witness.execution), 0, 0, {}};
    const auto& events = result.execution.events;
    for (const auto& choice : claimed_memory_.choices()) {
      if (!witness.values.apply(choice.chosen).is_true()) continue;
      result.write = witness.numbers[choice.write];
      for (result.later = 0; result.later < static_cast<EventId>(events.size()); ++result.later) {
        const Event& later = events[result.later];
        if (!later.is_write() || !covers(later, choice.atom).is_true()) continue;
        result.because = derivation(model_, "co", result.write, result.later, result.execution);
        if (!result.because.empty()) return result;
      }
    }
    return std::nullopt;
  }

  const cat::Model& model_;
  ExecutionSearch search_;
  FinalMemory memory_;
  FinalMemory claimed_memory_;  // final values without regard to coherence order
  const Bits outcome_;
  const Bits claimed_;
  std::vector<bool> needed_;
};

}  // namespace

Explanation explain_forbidden(const CandidateExecutions& candidates, const Question& question,
                              const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    return Explanations(candidates, question, model, options, graph).run();
  } catch (const OutOfTime& out) {
    Explanation none;
    none.reason = out.what();
    return none;
  }
}

Explanation explain_forbidden(const Program& program, const Question& question, const cat::Model& model,
                              const DecideOptions& options) {
  TermGraph graph;
  const EventStructure structure =
      unfold(program, graph, unfold_options(program, shown_terms(question), model, options));
  return explain_forbidden(CandidateExecutions{&structure}, question, model, options, graph);
}

}  // namespace ptxmc
