#include "solver/smt_engine/explain.hpp"

#include "solver/encoding/encoding.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/smt_engine/question.hpp"

namespace ptxmc {
namespace {

using Result = SmtSolver::Result;

class Explanations {
 public:
  Explanations(const Program& program, const Question& question, const cat::Model& model,
               const DecideOptions& options)
      : model_(model),
        encoding_(program, with_flags(model, [](const std::string&) { return false; }),
                  unfold_options(program, shown_terms(question), model, options), graph_),
        memory_(encoding_.structure(), encoding_.algebra().atoms(), encoding_.coherence(), graph_),
        claimed_memory_(encoding_.structure(), encoding_.algebra().atoms(), encoding_.coherence(), graph_,
                        FinalMemory::Last::any),
        solver_({options.timeout_seconds, options.memory_bytes, options.interrupted}),
        outcome_(asked(program, question, memory_)),
        claimed_(asked(program, question, claimed_memory_)) {
    for (const Bits& constraint : encoding_.algebra().constraints()) solver_.add(constraint);
    needed_.assign(model.axioms.size(), true);
  }

  Explanation run() {
    Explanation explanation;
    if (check(outcome_) != Result::unsatisfiable) return explanation;
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom) {
      needed_[axiom] = false;
      const Result result = check(outcome_);
      if (result == Result::unknown) {
        explanation.reason = solver_.reason();
        return explanation;
      }
      needed_[axiom] = result == Result::satisfiable;
    }
    WitnessReader reader(encoding_.structure(), encoding_.algebra(), graph_);
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
        explanation.axioms.push_back(broken(axiom, reader));
        explanation.axioms.back().breaks_no_other = breaks_no_other;
      }
      needed_ = minimal;
    }
    if (explanation.axioms.empty()) explanation.followed = followed_write(reader);
    return explanation;
  }

 private:
  /// The condition that an execution ends in the outcome, with final values from this memory.
  Bits asked(const Program& program, const Question& question, FinalMemory& memory) const {
    const FinalValue value = [&](const FinalTerm& term) {
      return final_value(term, program, encoding_.structure(), memory);
    };
    const Bits condition = holds(question.condition, value);
    Bits result = encoding_.all_completed() & holds(question.filter, value) &
                  (question.quantifier == Quantifier::forall ? ~condition : condition);
    for (const Bits& constraint : memory.constraints()) result = result & constraint;
    return result;
  }

  Result check(const Bits& asked) {
    std::vector<Bits> wanted{asked};
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom)
      if (needed_[axiom]) wanted.push_back(encoding_.outcome().axioms[axiom]);
    return solver_.check(wanted);
  }

  BrokenAxiom broken(std::size_t axiom, const WitnessReader& reader) {
    BrokenAxiom result;
    result.name = model_.axioms[axiom].name;
    result.execution = reader.read(solver_).execution;
    result.execution.relations = judge(model_, result.execution).relations;
    result.because = violation(model_, axiom, result.execution);
    return result;
  }

  std::optional<FollowedWrite> followed_write(WitnessReader& reader) {
    for (const auto& choice : claimed_memory_.choices()) reader.include(choice.chosen);
    needed_.assign(needed_.size(), true);
    if (check(claimed_) != Result::satisfiable) return std::nullopt;
    Witness witness = reader.read(solver_);
    check_witness(model_, witness.execution);
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
  TermGraph graph_;
  const Encoding encoding_;
  FinalMemory memory_;
  FinalMemory claimed_memory_;  // final values without regard to coherence order
  SmtSolver solver_;
  const Bits outcome_;
  const Bits claimed_;
  std::vector<bool> needed_;
};

}  // namespace

Explanation explain_forbidden(const Program& program, const Question& question, const cat::Model& model,
                              const DecideOptions& options) {
  return Explanations(program, question, model, options).run();
}

}  // namespace ptxmc
