#include "solver/explain.hpp"

#include "solver/encoding.hpp"
#include "solver/final_state.hpp"
#include "solver/question.hpp"
#include "solver/witness.hpp"

namespace ptxmc {
namespace {

using Result = SmtSolver::Result;

class Explanations {
 public:
  Explanations(const Program& program, const Question& question, const cat::Model& model,
               const DecideOptions& options)
      : model_(model),
        encoding_(program, with_flags(model, [](const std::string&) { return false; }),
                  unfold_options(program, shown_terms(question), options), graph_),
        memory_(encoding_.structure(), encoding_.algebra().atoms(), encoding_.coherence(), graph_),
        solver_({options.timeout_seconds, options.memory_bytes, options.interrupted}) {
    const FinalValue value = [&](const FinalTerm& term) {
      return final_value(term, program, encoding_.structure(), memory_);
    };
    const Bits condition = holds(question.condition, value);
    outcome_ = encoding_.all_completed() & holds(question.filter, value) &
               (question.quantifier == Quantifier::forall ? ~condition : condition);
    for (const Bits& constraint : encoding_.algebra().constraints()) solver_.add(constraint);
    for (const Bits& constraint : memory_.constraints()) solver_.add(constraint);
    needed_.assign(model.axioms.size(), true);
  }

  Explanation run() {
    Explanation explanation;
    if (check() != Result::unsatisfiable) return explanation;
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom) {
      needed_[axiom] = false;
      const Result result = check();
      if (result == Result::unknown) {
        explanation.reason = solver_.reason();
        return explanation;
      }
      needed_[axiom] = result == Result::satisfiable;
    }
    const WitnessReader reader(encoding_.structure(), encoding_.algebra(), graph_);
    for (std::size_t axiom = 0; axiom < needed_.size(); ++axiom) {
      if (!needed_[axiom]) continue;
      // An execution in which all other axioms hold tells most; there is none where two axioms forbid the
      // same.
      const std::vector<bool> minimal = needed_;
      needed_.assign(needed_.size(), true);
      needed_[axiom] = false;
      const bool breaks_no_other = check() == Result::satisfiable;
      if (!breaks_no_other) {
        needed_ = minimal;
        needed_[axiom] = false;
      }
      if (breaks_no_other || check() == Result::satisfiable) {
        explanation.axioms.push_back(broken(axiom, reader));
        explanation.axioms.back().breaks_no_other = breaks_no_other;
      }
      needed_ = minimal;
    }
    return explanation;
  }

 private:
  Result check() {
    std::vector<Bits> wanted{outcome_};
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

  const cat::Model& model_;
  TermGraph graph_;
  const Encoding encoding_;
  FinalMemory memory_;
  SmtSolver solver_;
  Bits outcome_;
  std::vector<bool> needed_;
};

}  // namespace

Explanation explain_forbidden(const Program& program, const Question& question, const cat::Model& model,
                              const DecideOptions& options) {
  return Explanations(program, question, model, options).run();
}

}  // namespace ptxmc
