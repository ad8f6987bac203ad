#include "solver/smt_engine/final_state_search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "solver/encoding/final_state.hpp"
#include "solver/encoding/symmetry.hpp"
#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "solver/smt_engine/unfold_options.hpp"

namespace ptxmc {
namespace {

using Result = ExecutionSearch::Result;

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
  Decision(const CandidateExecutions& candidates, const Question& question, const cat::Model& model,
           const DecideOptions& options, TermGraph& graph)
      : candidates_(candidates),
        program_(*candidates.structure->program),
        question_(question),
        model_(model),
        options_(options),
        shown_(shown_terms(question)),
        graph_(graph),
        search_(settle(candidates, model, graph), model, ExecutionSearch::none, options, graph),
        memory_(structure(), algebra().atoms(), search_.encoding().coherence(), graph) {}

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
  const EventStructure& structure() const { return search_.structure(); }
  const SymbolicAlgebra& algebra() const { return search_.algebra(); }

  /// The reason why the model does not cover this program, if there is one. PTX ISA 8.7 § 8.7.2: the axioms
  /// do not apply if there is a mixed-size data race; models have a flag of this name.
  std::optional<std::string> axioms_void() {
    if (const auto beyond = search_.encoding().beyond_model()) return beyond;
    if (!may_overlap_partially(structure())) return std::nullopt;
    return why_void(find_flags(candidates_, model_, options_, graph_, {mixed_size_race}));
  }

  void prepare() {
    const FinalValue final_value = [this](const FinalTerm& term) { return value_of(term); };
    proposition_ = holds(question_.condition, final_value);
    final_ = holds(question_.filter, final_value) & search_.encoding().all_completed();
    for (const FinalTerm& term : shown_) shown_values_.push_back(value_of(term));
    canonical_ = in_canonical_order(structure(), algebra(), observed_state(question_, false));
    search_.require_executions();
    for (const Bits& constraint : memory_.constraints()) search_.require(constraint);
    search_.include(proposition_);
    for (const Bits& value : shown_values_) search_.include(value);
    for (const auto& choice : algebra().reads_from().choices) choices_.push_back(choice.chosen);
    for (const auto& [name, relation] : algebra().choices())
      for (const auto& row : relation.rows)
        for (const auto& entry : row) choices_.push_back(entry.holds);
    for (const auto& row : algebra().phases().meet.rows)
      for (const auto& entry : row) choices_.push_back(entry.holds);
  }

  Bits value_of(const FinalTerm& term) { return final_value(term, structure(), memory_); }

  /// Decides the condition itself, before any enumeration.
  void find_condition(Answer& answer) {
    const bool for_all = question_.quantifier == Quantifier::forall;
    const Bits wanted[] = {final_, for_all ? ~proposition_ : proposition_, canonical_};
    const Bits cut_off[] = {search_.encoding().bound_reached(), canonical_};
    const Existence found = search_.exists(wanted, cut_off);
    answer.verdict = found.verdict;
    answer.reason = found.reason;
    if (found.verdict == Verdict::allowed) {
      FinalState state = found_state();
      answer.witness = state.witness;
      answer.states.push_back(std::move(state));
    }
    if (answer.verdict != Verdict::unknown)
      answer.holds = (answer.verdict == Verdict::allowed) == (question_.quantifier == Quantifier::exists);
  }

  /// Why the unfolding is incomplete: some execution needs more iterations than the bound. Empty if it is
  /// complete.
  std::optional<std::string> incomplete_unfolding() {
    const Bits cut_off[] = {search_.encoding().bound_reached(), canonical_};
    return search_.incomplete(cut_off);
  }

  /// The final state of the solver's last assignment, with an execution that the model accepts.
  FinalState found_state() {
    auto [execution, values, numbers] = search_.found();
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
    for (const FinalState& state : answer.states) search_.require(differs_from(state));
    const Bits wanted[] = {final_,
                           in_canonical_order(structure(), algebra(), observed_state(question_, true))};
    for (;;) {
      const Result result = search_.find(wanted);
      if (result == Result::unknown) return note_incomplete(answer, search_.reason());
      if (result == Result::unsatisfiable) {
        answer.states_complete = !is_cut_off_;
        break;
      }
      if (answer.states.size() >= options_.max_states) return note_incomplete(answer, state_limit);
      answer.states.push_back(found_state());
      search_.require(differs_from(answer.states.back()));
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
      const Result result = search_.find({&final_, 1});
      if (result == Result::unknown) {
        note_incomplete(answer, search_.reason());
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
      search_.require(differs_from(state) | another_choice());
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
    Substitution values = search_.found_candidate().values;
    Bits different = Bits::boolean(false);
    for (const Bits& choice : choices_)
      different = different | (values.apply(choice).is_true() ? ~choice : choice);
    return different;
  }

  const CandidateExecutions& candidates_;
  const Program& program_;
  const Question& question_;
  const cat::Model& model_;
  const DecideOptions& options_;
  const std::vector<FinalTerm> shown_;
  TermGraph& graph_;
  ExecutionSearch search_;
  FinalMemory memory_;

  Bits proposition_;
  Bits final_;      // all threads have ended, and the filter holds
  Bits canonical_;  // of the executions that differ only by threads that the condition does not tell apart
  std::vector<Bits> shown_values_;
  std::vector<Bits> choices_;
  bool is_cut_off_ = false;  // some execution needs more iterations than the bound
};

/// Runs a decision within the limits. If it ends early, the answer has everything known so far.
Answer within_limits(const Question& question, const DecideOptions& options,
                     const std::function<void(Answer&)>& run) {
  const Stopwatch stopwatch;
  Answer answer;
  answer.shown = shown_terms(question);
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    run(answer);
  } catch (const OutOfTime& out) {
    note_incomplete(answer, out.what());
  }
  answer.seconds = stopwatch.seconds();
  return answer;
}

}  // namespace

Answer decide(const CandidateExecutions& candidates, const Question& question, const cat::Model& model,
              const DecideOptions& options, TermGraph& graph) {
  return within_limits(question, options, [&](Answer& answer) {
    Decision(candidates, question, model, options, graph).run(answer);
  });
}

Answer decide(const Program& program, const Question& question, const cat::Model& model,
              const DecideOptions& options) {
  return within_limits(question, options, [&](Answer& answer) {
    TermGraph graph;
    const EventStructure structure =
        unfold(program, graph, unfold_options(program, shown_terms(question), model, options));
    Decision(CandidateExecutions{&structure}, question, model, options, graph).run(answer);
  });
}

}  // namespace ptxmc
