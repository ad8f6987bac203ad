#include "solver/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "semantics/diagnostic.hpp"
#include "solver/bit_rows.hpp"
#include "solver/explored_model.hpp"
#include "solver/final_state.hpp"
#include "solver/flags.hpp"
#include "solver/interleaving.hpp"
#include "solver/next_step.hpp"
#include "solver/outcomes.hpp"
#include "solver/partial_execution.hpp"
#include "solver/question.hpp"
#include "solver/race_free.hpp"
#include "solver/thread_renaming.hpp"

namespace ptxmc {
namespace {

using Clock = std::chrono::steady_clock;

/// Executions of more events are not shown: to accept one takes time with the cube of their number.
constexpr std::size_t most_events_with_witness = 1'000;

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

template <class Visit>
void for_each_event(const BitSet& set, Visit visit) {
  for_each_member(set.words(), set.word_count(), [&](std::size_t i) { visit(static_cast<EventId>(i)); });
}

class Exploration {
 public:
  Exploration(const Program& program, const Question& question, const cat::Model& model,
              const DecideOptions& options, const EventStructure& structure)
      : options_(options),
        structure_(structure),
        has_mixed_sizes_(may_overlap_partially(structure_)),
        model_(with_voiding_flags(model, has_mixed_sizes_)),
        execution_(structure_, model_, std::vector<std::string>{"co"}),
        next_(execution_, structure_, model_),
        renaming_(structure_, shown_terms(question)),
        outcomes_(program, question, model, structure_, options),
        quantifier_(question.quantifier) {
    if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure_, execution_.parts()))
      throw Unsupported("the explorer under a model that allows values out of thin air", {});
    coherence_grows_ = grows_with_choices(model_, "co");
    for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i)
      coherence_tells_all_ =
          coherence_tells_all_ && (!execution_.model.may_have_pairs(i) || execution_.model.reveals("co", i));
  }

  Answer run() {
    Answer answer;
    if (const auto flag = voiding_flag(structure_, model_)) {
      answer.shown = outcomes_.shown();
      answer.reason = *flag;
      return answer;
    }
    start();
    outcomes_.put_into(answer);
    answer.blocked = blocked_;
    conclude(answer);
    return answer;
  }

 private:
  // --- Where reads read from, and which barriers meet ---

  void start() {
    const std::size_t mark = execution_.mark();
    if (execution_.settle() && execution_.model.may_become_consistent()) {
      rule_out_sources();
      extend();
    }
    execution_.undo_to(mark);
  }

  /// Sources that the axioms refuse whatever else is chosen.
  void rule_out_sources() {
    for (std::size_t i = 0; i < execution_.parts().size(); ++i) {
      auto& part = execution_.parts()[i];
      if (!part.is_active) continue;
      for_each_event(part.candidates & execution_.model.inputs.present, [&](EventId write) {
        if (must_stop()) return;
        const std::size_t mark = execution_.mark();
        execution_.choose_source(i, write);
        const bool possible = execution_.model.may_become_consistent();
        execution_.undo_to(mark);
        if (!possible) part.candidates.erase(index(write));
      });
    }
  }

  void extend() {
    if (must_stop()) return;
    const std::size_t mark = execution_.mark();
    Step step;
    if (advance(step) && orient_updates_of_one_write() &&
        !(can_skip_states() && outcomes_.knows_registers(execution_))) {
      if (renaming_.is_trivial() || step.kind != Step::Kind::source)
        branch(step);
      else
        branch_up_to_renaming(step);
    }
    execution_.undo_to(mark);
  }

  /// What differs only by who is who of interchangeable threads ends in the same states equally often.
  void branch_up_to_renaming(const Step& step) {
    next_.stop_excluding_refused();
    const auto [place, is_new] = explored_.try_emplace(renaming_.key(execution_));
    Outcomes::Tally& tally = place->second;
    if (is_new) {
      outcomes_.open_tally();
      branch(step);
      tally = outcomes_.close_tally();
    }
    outcomes_.add(tally, 1);
  }

  /// Takes what is no choice, up to the next choice. False: there is no execution.
  bool advance(Step& step) {
    for (;;) {
      if (!execution_.settle()) {
        ++blocked_;
        return false;
      }
      step = next_.find();
      if (step.is_forced()) {
        take(step);
        continue;
      }
      if (!execution_.model.may_become_consistent()) return false;
      if (step.kind != Step::Kind::source) return true;
      next_.refuse_sources(step);
      if (step.options.is_empty() && !step.later) return false;
      if (!step.is_forced()) return true;
      take(step);
    }
  }

  /// Nothing is asked of executions that end in a known state.
  bool can_skip_states() const {
    return !options_.count_executions && !checks_race() && !execution_.may_be_cut_off();
  }

  /// Two read-modify-writes that have read one write: in most models one of them must not have been. Tells it
  /// before the writes are oriented, and orients those of which only one way is left.
  bool orient_updates_of_one_write() {
    const auto& parts = execution_.parts();
    const auto& updates = execution_.update_parts();
    for (std::size_t x = 0; x < updates.size(); ++x) {
      const std::size_t i = updates[x];
      if (!is_update(parts[i])) continue;
      for (std::size_t y = x + 1; y < updates.size(); ++y) {
        const std::size_t j = updates[y];
        if (parts[j].source != parts[i].source || parts[j].atom != parts[i].atom || !is_update(parts[j]))
          continue;
        const auto a = index(execution_.events()[index(parts[i].read)].rmw);
        const auto b = index(execution_.events()[index(parts[j].read)].rmw);
        for (std::size_t choice = 0; choice < execution_.model.inputs.choices.size(); ++choice)
          if (execution_.model.inputs.choices[choice].is_fixed &&
              execution_.model.is_open_pair(choice, a, b) && !orient_if_forced(choice, a, b))
            return false;
      }
    }
    return true;
  }

  bool is_update(const PartialExecution::Part& part) const {
    if (!part.is_active || part.source < 0) return false;
    const EventId write = execution_.events()[index(part.read)].rmw;
    return write >= 0 && execution_.state(write) == PartialExecution::State::present;
  }

  /// False: the pair can be oriented in neither way.
  bool orient_if_forced(std::size_t choice, std::size_t a, std::size_t b) {
    const bool forward = can_orient(choice, a, b), backward = can_orient(choice, b, a);
    if (!forward && !backward) return false;
    if (forward != backward) {
      execution_.model.orient(choice, forward ? a : b, forward ? b : a);
    }
    return execution_.model.may_become_consistent();
  }

  bool can_orient(std::size_t choice, std::size_t from, std::size_t to) {
    const std::size_t mark = execution_.mark();
    execution_.model.orient(choice, from, to);
    const bool can = execution_.model.may_become_consistent();
    execution_.undo_to(mark);
    return can;
  }

  void take(const Step& step) {
    if (step.kind == Step::Kind::matching) return execution_.match(step.which, step.matchings.front());
    for_each_event(step.options, [&](EventId write) { execution_.choose_source(step.which, write); });
    if (step.later) execution_.exclude(step.which, step.refused);
  }

  void branch(const Step& step) {
    const auto with = [&](const auto& choose) {
      const std::size_t mark = execution_.mark();
      choose();
      extend();
      execution_.undo_to(mark);
    };
    switch (step.kind) {
      case Step::Kind::source:
        if (renaming_.is_trivial())
          for_each_event(step.options,
                         [&](EventId write) { with([&] { execution_.choose_source(step.which, write); }); });
        else
          for (const auto& [write, times] : renaming_.representatives(execution_, step.which, step.options)) {
            outcomes_.open_tally();
            with([&] { execution_.choose_source(step.which, write); });
            outcomes_.add(outcomes_.close_tally(), times);
          }
        if (step.later) with([&] { execution_.exclude(step.which, step.options | step.refused); });
        return;
      case Step::Kind::matching:
        for (const BarrierMatching& matching : step.matchings)
          with([&] { execution_.match(step.which, matching); });
        return;
      case Step::Kind::complete:
        return complete();
      case Step::Kind::blocked:
      case Step::Kind::impossible:
        ++blocked_;
        return;
    }
  }

  // --- The orders that the model chooses ---

  /// Events, sources and barriers are complete.
  void complete() {
    if (!barriers_can_follow_each_other()) {
      ++blocked_;
      return;
    }
    const bool is_final = execution_.all_completed();
    if (!is_final && (!execution_.is_cut_off() || was_cut_off_)) {
      ++blocked_;
      return;
    }
    if (is_final) {
      outcomes_.begin(execution_);
      if (!checks_race() && outcomes_.has_everything()) return;
    }
    found_here_ = 0;
    leave_here_ = false;
    has_one_coherence_ = is_final && has_one_coherence();
    const bool any_will_do = has_one_coherence_ && execution_.model.has_open_pairs();
    if (!any_will_do || !orient_like_interleaving()) orient(is_final);
    if (found_here_ == 0) ++blocked_;
  }

  bool checks_race() const { return has_mixed_sizes_ && !model_.flags.empty(); }

  bool barriers_can_follow_each_other() const {
    if (execution_.meetings().empty()) return true;
    std::vector<OrderedPhases> phases;
    for (const auto& meeting : execution_.meetings())
      phases.push_back({meeting.members, meeting.matching.orders.front()});
    const auto& meetings = execution_.meetings();
    std::vector<std::size_t> which(meetings.size(), 0);
    for (;;) {
      for (std::size_t i = 0; i < which.size(); ++i) phases[i].order = meetings[i].matching.orders[which[i]];
      if (can_follow_each_other(execution_.events(), phases)) return true;
      std::size_t i = 0;
      while (i < which.size() && ++which[i] == meetings[i].matching.orders.size()) which[i++] = 0;
      if (i == which.size()) return false;
    }
  }

  /// Any orientation will do: tries the order of some interleaving of the threads. False: none was found.
  bool orient_like_interleaving() {
    const std::size_t mark = execution_.mark();
    const std::vector<std::size_t> place = interleaving(execution_, coherence_);
    for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i)
      for (std::size_t a = 0, b = 0; execution_.model.find_open_pair(i, a, b);)
        execution_.model.orient(i, place[a] < place[b] ? a : b, place[a] < place[b] ? b : a);
    const bool is_possible = execution_.model.may_become_consistent() && execution_.model.is_consistent();
    if (is_possible) found(true);
    execution_.undo_to(mark);
    return is_possible;
  }

  /// Orients the first pair that is not oriented yet.
  void orient(bool is_final) {
    if (leave_here_ || must_stop()) return;
    for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i) {
      std::size_t a = 0, b = 0;
      if (!execution_.model.find_open_pair(i, a, b)) continue;
      for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
        const std::size_t mark = execution_.mark();
        execution_.model.orient(i, from, to);
        if (execution_.model.may_become_consistent()) orient(is_final);
        execution_.undo_to(mark);
      }
      return;
    }
    if (execution_.model.is_consistent()) found(is_final);
  }

  /// An execution that the model accepts.
  void found(bool is_final) {
    ++found_here_;
    if (!is_final) {
      was_cut_off_ = true;
      execution_.ignores_cut_off = true;
      leave_here_ = true;
      return;
    }
    if (checks_race())
      for (std::size_t i = 0; i < model_.flags.size(); ++i)
        if (model_.flags[i].name == mixed_size_race && execution_.model.is_raised(i)) {
          has_race_ = stopped_ = true;
          return;
        }
    execution_.model.copy_value(coherence_step_, coherence_);
    outcomes_.add(execution_, coherence_, !has_one_coherence_ && !coherence_tells_all_);
    if (!options_.all_states && !options_.count_executions && outcomes_.is_condition_met() && !checks_race())
      stopped_ = true;
    if (outcomes_.state_count() >= options_.max_states) stopped_ = true;
    leave_here_ = !checks_race() && (has_one_coherence_ || outcomes_.has_everything());
  }

  /// Whatever is oriented how, coherence order is what it is now.
  bool has_one_coherence() {
    if (!coherence_grows_) return false;
    execution_.model.copy_value(coherence_step_, coherence_);
    if (!execution_.model.has_open_pairs()) return true;
    const BitMatrix more = execution_.model.value_at_most("co") - coherence_;
    return (more - BitMatrix::identity(~BitSet(more.size()))).is_empty();
  }

  // --- The answer ---

  bool must_stop() {
    if (stopped_) return true;
    steps_ += step_cost_;
    if (options_.max_steps > 0 && steps_ > options_.max_steps) reason_ = "step limit";
    if (steps_ / 256 == (steps_ - step_cost_) / 256 && reason_.empty()) return false;
    if (options_.interrupted && options_.interrupted->load()) reason_ = "interrupted";
    if (options_.timeout_seconds > 0 &&
        std::chrono::duration<double>(Clock::now() - start_).count() > options_.timeout_seconds)
      reason_ = "timeout";
    stopped_ = !reason_.empty();
    return stopped_;
  }

  void conclude(Answer& answer) const {
    if (has_race_) {
      answer = Answer{};
      answer.shown = outcomes_.shown();
      answer.reason = "mixed-size data race";
      return;
    }
    answer.reason = reason_;
    answer.states_complete = !stopped_ && !was_cut_off_;
    if (!answer.states_complete) answer.executions.reset();
    if (outcomes_.is_condition_met()) {
      answer.verdict = Verdict::allowed;
    } else if (answer.states_complete) {
      answer.verdict = Verdict::forbidden;
    } else if (reason_.empty()) {
      answer.reason = "loop bound " + std::to_string(options_.bound);
    }
    if (checks_race() && !answer.states_complete) {  // what was not looked at may void the axioms
      answer.verdict = Verdict::unknown;
      if (answer.reason.empty()) answer.reason = "loop bound";
    }
    if (!options_.all_states && !options_.count_executions) {  // as if it had not gone past them
      const bool wanted = quantifier_ != Quantifier::forall;
      std::erase_if(answer.states, [&](const FinalState& state) { return state.matches != wanted; });
      if (answer.states.size() > 1) answer.states.resize(1);
      answer.states_complete = false;
    }
    if (answer.verdict != Verdict::unknown)
      answer.holds = (answer.verdict == Verdict::allowed) == (quantifier_ == Quantifier::exists);
  }

  const Clock::time_point start_ = Clock::now();
  const DecideOptions& options_;
  const EventStructure& structure_;
  const bool has_mixed_sizes_;
  const cat::Model model_;
  PartialExecution execution_;
  NextStep next_;
  ThreadRenaming renaming_;
  std::unordered_map<std::string, Outcomes::Tally> explored_;  // by key, where threads can change places
  Outcomes outcomes_;
  const Quantifier quantifier_;
  bool coherence_grows_ = false;
  bool coherence_tells_all_ = true;  // how each choice is oriented
  const std::uint32_t coherence_step_ = execution_.model.find_step("co");
  BitMatrix coherence_;

  const std::uint64_t step_cost_ = cost_of_step(structure_.events.size());
  std::uint64_t steps_ = 0;
  std::uint64_t blocked_ = 0;
  bool stopped_ = false;
  bool was_cut_off_ = false;
  bool has_race_ = false;
  std::string reason_;

  // Of the current choice of sources and barriers.
  bool leave_here_ = false;
  std::size_t found_here_ = 0;
  bool has_one_coherence_ = false;
};

}  // namespace

Answer explore(const Program& program, const Question& question, const cat::Model& model,
               const DecideOptions& options) {
  const auto start = Clock::now();
  TermGraph graph;
  const EventStructure structure =
      unfold(program, graph, unfold_options(program, shown_terms(question), options));
  std::optional<Answer> answer;
  if (structure.events.size() > most_events_with_witness && is_embedded_ptx(model))
    answer = answer_without_races(structure, question, options);
  if (!answer) {
    check_worth_exploring(structure, options);
    answer = Exploration(program, question, model, options, structure).run();
  }
  answer->engine = "explorer";
  answer->seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return *std::move(answer);
}

}  // namespace ptxmc
