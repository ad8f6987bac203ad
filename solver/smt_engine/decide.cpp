#include "solver/smt_engine/decide.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <stdexcept>

#include "solver/encoding/encoding.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/encoding/symmetry.hpp"
#include "solver/encoding/witness.hpp"
#include "solver/limits/memory_limit.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/flags.hpp"
#include "solver/smt_engine/question.hpp"

namespace ptxmc {
namespace {

using Result = SmtSolver::Result;

void sort_states(Answer& answer) {
  std::sort(answer.states.begin(), answer.states.end(),
            [](const FinalState& a, const FinalState& b) { return a.values < b.values; });
}

/// Records that the answer lacks states, or the verdict, for this reason.
void note_incomplete(Answer& answer, const std::string& reason) {
  if (answer.reason.empty()) answer.reason = reason;
  sort_states(answer);
}

class Decision {
 public:
  Decision(const Program& program, const Question& question, const cat::Model& model,
           const DecideOptions& options)
      : program_(program),
        question_(question),
        model_(model),
        options_(options),
        shown_(shown_terms(question)),
        encoding_(program, with_flags(model, [](const std::string&) { return false; }),
                  unfold_options(program, shown_, model, options), graph_),
        memory_(encoding_.structure(), encoding_.algebra().atoms(), encoding_.coherence(), graph_),
        solver_({TimeLimit::seconds_left(), options.memory_bytes, options.interrupted}) {}

  /// Decides the question. If it ends early, the answer has everything known so far.
  void run(Answer& answer) {
    if (const auto reason = axioms_void()) {
      answer.reason = *reason;
      return;
    }
    prepare();
    find_condition(answer);
    // This must come before found states are excluded, since an execution that the bound cuts off has the
    // registers of some state, too.
    is_cut_off_ = answer.verdict == Verdict::unknown ||
                  (answer.verdict == Verdict::allowed && (options_.count_executions || options_.all_states) &&
                   incomplete_unfolding().has_value());
    if (options_.count_executions)
      enumerate_executions(answer);
    else if (options_.all_states)
      enumerate_states(answer);
  }

 private:
  /// The reason why the model does not cover this program, if there is one. PTX ISA 8.7 § 8.7.2: the axioms
  /// do not apply if there is a mixed-size data race; models have a flag of this name.
  std::optional<std::string> axioms_void() {
    if (const auto beyond = encoding_.beyond_model()) return beyond;
    if (!may_overlap_partially(encoding_.structure())) return std::nullopt;
    return why_void(find_flags(program_, model_, options_, {mixed_size_race}));
  }

  void prepare() {
    const FinalValue final_value = [this](const FinalTerm& term) { return value_of(term); };
    proposition_ = holds(question_.condition, final_value);
    final_ = holds(question_.filter, final_value) & encoding_.all_completed();
    for (const FinalTerm& term : shown_) shown_values_.push_back(value_of(term));
    canonical_ = in_canonical_order(encoding_.structure(), encoding_.algebra(), shown_);
    encoding_.assert_executions(solver_);
    for (const Bits& constraint : memory_.constraints()) solver_.add(constraint);
    reader_.emplace(encoding_.structure(), encoding_.algebra(), graph_);
    reader_->include(proposition_);
    for (const Bits& value : shown_values_) reader_->include(value);
    const SymbolicAlgebra& algebra = encoding_.algebra();
    for (const auto& choice : algebra.reads_from().choices) choices_.push_back(choice.chosen);
    for (const auto& [name, relation] : algebra.choices())
      for (const auto& row : relation.rows)
        for (const auto& entry : row) choices_.push_back(entry.holds);
    for (const auto& row : algebra.phases().meet.rows)
      for (const auto& entry : row) choices_.push_back(entry.holds);
  }

  Bits value_of(const FinalTerm& term) { return final_value(term, program_, encoding_.structure(), memory_); }

  /// Decides the condition itself, before any enumeration.
  void find_condition(Answer& answer) {
    const bool for_all = question_.quantifier == Quantifier::forall;
    const Bits wanted[] = {final_, for_all ? ~proposition_ : proposition_, canonical_};
    switch (solver_.check(wanted)) {
      case Result::satisfiable: {
        FinalState state = found_state();
        answer.verdict = Verdict::allowed;
        answer.witness = state.witness;
        answer.states.push_back(std::move(state));
        break;
      }
      case Result::unsatisfiable:
        if (const auto reason = incomplete_unfolding())
          answer.reason = *reason;
        else
          answer.verdict = Verdict::forbidden;
        break;
      case Result::unknown:
        answer.reason = solver_.reason();
        break;
    }
    if (answer.verdict != Verdict::unknown)
      answer.holds = (answer.verdict == Verdict::allowed) == (question_.quantifier == Quantifier::exists);
  }

  /// Why the unfolding is incomplete: some execution needs more iterations than the bound. Empty if it is
  /// complete.
  std::optional<std::string> incomplete_unfolding() {
    const Bits more[] = {encoding_.bound_reached(), canonical_};
    switch (solver_.check(more)) {
      case Result::satisfiable:
        return "loop bound " + std::to_string(options_.bound);
      case Result::unsatisfiable:
        return std::nullopt;
      case Result::unknown:
        return solver_.reason();
    }
    return std::nullopt;
  }

  /// The final state of the solver's last assignment, with an execution that the model accepts.
  FinalState found_state() {
    auto [execution, values, numbers] = reader_->read(solver_);
    check_witness(model_, execution);
    FinalState state;
    execution.final_memory.resize(program_.memory.size());
    for (std::size_t i = 0; i < program_.memory.size(); ++i)
      execution.final_memory[i].resize(program_.memory[i].initial.size());
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      const Bits value = values.apply(shown_values_[i]);
      state.values.push_back(value.to_s64());
      if (shown_[i].kind == FinalTerm::Kind::memory)
        execution.final_memory[shown_[i].variable][shown_[i].element] = value;
    }
    state.matches = holds(question_.condition, [&](const FinalTerm& term) {
                      if (term.kind == FinalTerm::Kind::constant)
                        return Bits(64, static_cast<u128>(term.constant));
                      const auto place = std::find(shown_.begin(), shown_.end(), term);
                      return Bits(64, static_cast<u128>(state.values[place - shown_.begin()]));
                    }).is_true();
    if (state.matches != values.apply(proposition_).is_true())
      throw std::logic_error("the condition has another value in the execution than in the solver");
    state.witness = std::move(execution);
    return state;
  }

  Bits differs_from(const FinalState& state) const {
    Bits same = Bits::boolean(true);
    for (std::size_t i = 0; i < shown_.size(); ++i)
      same = same & equal(shown_values_[i], Bits(64, static_cast<u128>(state.values[i])));
    return ~same;
  }

  void enumerate_states(Answer& answer) {
    for (const FinalState& state : answer.states) solver_.add(differs_from(state));
    const Bits wanted[] = {final_, canonical_};
    for (;;) {
      const Result result = solver_.check(wanted);
      if (result == Result::unknown) return note_incomplete(answer, solver_.reason());
      if (result == Result::unsatisfiable) {
        answer.states_complete = !is_cut_off_;
        break;
      }
      if (answer.states.size() >= options_.max_states) return note_incomplete(answer, state_limit);
      answer.states.push_back(found_state());
      solver_.add(differs_from(answer.states.back()));
    }
    sort_states(answer);
  }

  /// Enumerates every execution, with every choice of Fence-SC order. `identity_of` decides which of them are
  /// the same.
  void enumerate_executions(Answer& answer) {
    std::set<std::string> all;
    std::map<std::vector<std::int64_t>, std::pair<FinalState, std::set<std::string>>> states;
    for (const FinalState& state : answer.states)
      states.try_emplace(state.values, state, std::set<std::string>{});
    for (;;) {
      const Result result = solver_.check({&final_, 1});
      if (result == Result::unknown) {
        note_incomplete(answer, solver_.reason());
        break;
      }
      if (result == Result::unsatisfiable) {
        answer.states_complete = !is_cut_off_;
        break;
      }
      FinalState state = found_state();
      const std::string identity = identity_of(state.witness);
      all.insert(identity);
      const auto place = states.try_emplace(state.values, state, std::set<std::string>{}).first;
      place->second.second.insert(identity);
      solver_.add(differs_from(state) | another_choice());
    }
    answer.states.clear();
    for (auto& [values, found] : states) {
      found.first.executions = found.second.size();
      answer.states.push_back(std::move(found.first));
    }
    if (answer.states_complete) answer.executions = all.size();
  }

  /// Equal for two executions with the same events, rf, coherence where the model relates, and phases.
  static std::string identity_of(const Execution& execution) {
    std::string text;
    const auto put = [&text](auto number) { text += std::to_string(number) + ' '; };
    for (const Event& event : execution.events) {
      put(event.thread);
      put(event.step);
    }
    auto reads_from = execution.reads_from;
    for (const ReadsFrom& rf : reads_from) {
      put(rf.read);
      put(rf.write);
      put(rf.first);
    }
    text += "co ";
    Pairs coherence = execution.relations.at("co");
    std::sort(coherence.begin(), coherence.end());
    for (const auto& [a, b] : coherence) {
      put(a);
      put(b);
    }
    text += "bar ";
    for (int phase : execution.barrier_phase) put(phase);
    return text;
  }

  /// The condition that some choice differs from the solver's last assignment.
  Bits another_choice() {
    Substitution values = reader_->read(solver_).values;
    Bits different = Bits::boolean(false);
    for (const Bits& choice : choices_)
      different = different | (values.apply(choice).is_true() ? ~choice : choice);
    return different;
  }

  const Program& program_;
  const Question& question_;
  const cat::Model& model_;
  const DecideOptions& options_;
  const std::vector<FinalTerm> shown_;
  TermGraph graph_;
  const Encoding encoding_;
  FinalMemory memory_;
  SmtSolver solver_;
  std::optional<WitnessReader> reader_;

  Bits proposition_;
  Bits final_;      // all threads have ended, and the filter holds
  Bits canonical_;  // excludes no state, and executions only up to permutations of threads
  std::vector<Bits> shown_values_;
  std::vector<Bits> choices_;
  bool is_cut_off_ = false;  // some execution needs more iterations than the bound
};

}  // namespace

Answer decide(const Program& program, const Question& question, const cat::Model& model,
              const DecideOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Answer answer;
  answer.shown = shown_terms(question);
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    Decision(program, question, model, options).run(answer);
  } catch (const OutOfTime& out) {
    note_incomplete(answer, out.what());
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace ptxmc
