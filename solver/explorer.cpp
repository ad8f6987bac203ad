#include "solver/explorer.hpp"

#include <algorithm>
#include <bit>
#include <chrono>

#include "model/cat_polarity.hpp"
#include "semantics/check.hpp"
#include "semantics/diagnostic.hpp"
#include "solver/final_state.hpp"
#include "solver/flags.hpp"
#include "solver/outcomes.hpp"
#include "solver/partial_execution.hpp"
#include "solver/question.hpp"

namespace ptxmc {
namespace {

using Clock = std::chrono::steady_clock;

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

std::size_t count(const BitSet& set) {
  std::size_t result = 0;
  for (std::size_t w = 0; w < set.word_count(); ++w)
    result += static_cast<std::size_t>(std::popcount(set.words()[w]));
  return result;
}

template <class Visit>
void for_each_member(const BitSet& set, Visit visit) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set.contains(i)) visit(static_cast<EventId>(i));
}

const char mixed_size_race[] = "mixed_size_data_race";

/// With the flags that say that a model knows nothing of a program.
cat::Model with_voiding_flags(cat::Model model, bool has_mixed_sizes) {
  std::erase_if(model.flags, [&](const cat::Test& flag) {
    return !flag.name.starts_with("later_than") && (!has_mixed_sizes || flag.name != mixed_size_race);
  });
  return model;
}

/// A relation of a complete execution only grows with what is chosen.
bool grows_with_choices(cat::Model model, const std::string& name) {
  const cat::Definition* definition = model.find(name);
  model.axioms = {{.form = cat::Test::Form::empty, .node = definition->node, .name = name, .place = {}}};
  const auto is_static = [](const std::string& base) { return base != "co" && base != "total_coherence"; };
  return cat::monotone_axioms(model, is_static).front();
}

/// What one step costs, in steps of small executions: relations grow with the square of the events, and each
/// row of a product with the events once more.
std::uint64_t cost_of_step(std::size_t events) {
  const std::uint64_t times_small = events / 32;
  return 1 + times_small * times_small * times_small;
}

/// Refuses what a limit on steps leaves no room for, before anything of that size is made.
EventStructure worth_exploring(EventStructure structure, const DecideOptions& options) {
  constexpr std::uint64_t fewest_steps = 100;
  if (options.max_steps > 0 && cost_of_step(structure.events.size()) * fewest_steps > options.max_steps &&
      structure.events.size() > 32)
    throw Unsupported("so many events in the explorer under a limit on steps", {});
  return structure;
}

class Exploration {
 public:
  Exploration(const Program& program, const Question& question, const cat::Model& model,
              const DecideOptions& options)
      : options_(options),
        structure_(worth_exploring(
            unfold(program, graph_, unfold_options(program, shown_terms(question), options)), options)),
        has_mixed_sizes_(may_overlap_partially(structure_)),
        model_(with_voiding_flags(model, has_mixed_sizes_)),
        execution_(structure_, model_, std::vector<std::string>{"co"}),
        outcomes_(program, question, model, structure_, options),
        quantifier_(question.quantifier) {
    if (!execution_.model.forbids_thin_air() && may_read_from_thin_air())
      throw Unsupported("the explorer under a model that allows values out of thin air", {});
    coherence_grows_ = grows_with_choices(model_, "co");
  }

  Answer run() {
    Answer answer;
    if (const auto flag = voiding_flag()) {
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
  // One thing to be chosen next.
  struct Step {
    enum class Kind { source, matching, complete, blocked, impossible } kind = Kind::complete;
    std::size_t which = 0;  // part or meeting
    BitSet options;         // source: existing writes
    bool later = false;     // source: or one that does not exist yet
    std::vector<BarrierMatching> matchings;

    bool is_forced() const {
      if (kind == Kind::source) return !later && count(options) == 1;
      return kind == Kind::matching && matchings.size() == 1;
    }
  };

  /// The name of a flag that says that the model knows nothing of what is in the program.
  std::optional<std::string> voiding_flag() {
    if (std::all_of(model_.flags.begin(), model_.flags.end(),
                    [](const cat::Test& flag) { return flag.name == mixed_size_race; }))
      return std::nullopt;
    PartialExecution everything(structure_, model_, {});
    for (std::size_t i = 0; i < structure_.events.size(); ++i)
      if (!structure_.events[i].condition.is_false()) everything.model.inputs.present.insert(i);
    everything.model.note(CompiledModel::events);
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      if (model_.flags[i].name != mixed_size_race && everything.model.is_raised(i))
        return model_.flags[i].name;
    return std::nullopt;
  }

  /// Some read may take, over dependencies and other reads, what depends on itself.
  bool may_read_from_thin_air() {
    BitMatrix feeds(structure_.events.size());
    for (std::size_t i = 0; i < structure_.events.size(); ++i) {
      const Event& event = structure_.events[i];
      for (const auto* reads :
           {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
        for (const EventId read : *reads) feeds.insert(index(read), i);
    }
    for (const auto& part : execution_.parts())
      for_each_member(part.candidates, [&](EventId write) { feeds.insert(index(write), index(part.read)); });
    return !feeds.is_acyclic();
  }

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
      for_each_member(part.candidates & execution_.model.inputs.present, [&](EventId write) {
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
    do {
      if (!execution_.settle()) {
        ++blocked_;
        step.kind = Step::Kind::impossible;
        break;
      }
      step = next_step();
      if (step.is_forced()) take(step);
    } while (step.is_forced());
    if (step.kind != Step::Kind::impossible && execution_.model.may_become_consistent() &&
        orient_updates_of_one_write() && !(can_skip_states() && outcomes_.knows_registers(execution_)))
      branch(step);
    execution_.undo_to(mark);
  }

  /// Nothing is asked of executions that end in a known state.
  bool can_skip_states() const {
    return !options_.count_executions && !checks_race() && !execution_.may_be_cut_off();
  }

  /// Two read-modify-writes that have read one write: in most models one of them must not have been. Tells it
  /// before the writes are oriented, and orients those of which only one way is left.
  bool orient_updates_of_one_write() {
    const auto& parts = execution_.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!is_update(parts[i])) continue;
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        if (parts[j].source != parts[i].source || parts[j].atom != parts[i].atom || !is_update(parts[j]))
          continue;
        const auto a = index(execution_.events()[index(parts[i].read)].rmw);
        const auto b = index(execution_.events()[index(parts[j].read)].rmw);
        for (std::size_t choice = 0; choice < execution_.model.inputs.choices.size(); ++choice)
          if (is_open_pair(choice, a, b) && !orient_if_forced(choice, a, b)) return false;
      }
    }
    return true;
  }

  bool is_update(const PartialExecution::Part& part) const {
    if (!part.is_active || part.source < 0) return false;
    const EventId write = execution_.events()[index(part.read)].rmw;
    return write >= 0 && execution_.state(write) == PartialExecution::State::present;
  }

  bool is_open_pair(std::size_t i, std::size_t a, std::size_t b) const {
    const CompiledModel::Choice& choice = execution_.model.inputs.choices[i];
    return choice.is_fixed && choice.pairs.contains(a, b) && !choice.chosen.contains(a, b) &&
           !choice.chosen.contains(b, a);
  }

  /// False: the pair can be oriented in neither way.
  bool orient_if_forced(std::size_t choice, std::size_t a, std::size_t b) {
    const bool forward = can_orient(choice, a, b), backward = can_orient(choice, b, a);
    if (!forward && !backward) return false;
    if (forward != backward) {
      execution_.model.inputs.choices[choice].chosen.insert(forward ? a : b, forward ? b : a);
      execution_.model.note(CompiledModel::choice_change(choice));
    }
    return execution_.model.may_become_consistent();
  }

  bool can_orient(std::size_t choice, std::size_t from, std::size_t to) {
    const std::size_t mark = execution_.mark();
    execution_.model.inputs.choices[choice].chosen.insert(from, to);
    execution_.model.note(CompiledModel::choice_change(choice));
    const bool can = execution_.model.may_become_consistent();
    execution_.undo_to(mark);
    return can;
  }

  void take(const Step& step) {
    if (step.kind == Step::Kind::matching)
      execution_.match(step.which, step.matchings.front());
    else
      for_each_member(step.options, [&](EventId write) { execution_.choose_source(step.which, write); });
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
        for_each_member(step.options,
                        [&](EventId write) { with([&] { execution_.choose_source(step.which, write); }); });
        if (step.later) with([&] { execution_.exclude(step.which, step.options); });
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

  Step next_step() {
    Step step;
    if (const int meeting = execution_.next_meeting(); meeting >= 0) {
      step.kind = Step::Kind::matching;
      step.which = static_cast<std::size_t>(meeting);
      std::vector<EventId> members;
      for (const EventId id : execution_.meetings()[step.which].events)
        if (execution_.state(id) == PartialExecution::State::present) members.push_back(id);
      step.matchings = match_barriers(execution_.events(), members);
      if (step.matchings.empty()) step.kind = Step::Kind::impossible;
      return step;
    }
    bool is_waiting = execution_.is_open();
    std::size_t fewest = ~std::size_t{0};
    for (std::size_t i = 0; i < execution_.parts().size(); ++i) {
      const auto& part = execution_.parts()[i];
      if (!part.is_active || part.source >= 0) continue;
      const bool later = may_come(part);
      const std::size_t choices = count_options(part) + (later ? 1 : 0);
      if (choices == 0) return {.kind = Step::Kind::impossible, .options = {}, .matchings = {}};
      if (later && choices == 1) {
        is_waiting = true;
        continue;
      }
      const std::size_t weight = 2 * choices + (later ? 1 : 0);
      if (weight >= fewest) continue;
      fewest = weight;
      step.kind = Step::Kind::source;
      step.which = i;
      step.later = later;
    }
    if (step.kind == Step::Kind::source) {
      const auto& part = execution_.parts()[step.which];
      step.options = (part.candidates & execution_.writers(part.atom)) - part.excluded;
    }
    if (step.kind == Step::Kind::complete && is_waiting) step.kind = Step::Kind::blocked;
    return step;
  }

  /// How many existing writes may be the source.
  std::size_t count_options(const PartialExecution::Part& part) const {
    const BitSet& writers = execution_.writers(part.atom);
    std::size_t result = 0;
    for (std::size_t w = 0; w < writers.word_count(); ++w)
      result += static_cast<std::size_t>(
          std::popcount(part.candidates.words()[w] & writers.words()[w] & ~part.excluded.words()[w]));
    return result;
  }

  /// Some write of which it is open whether it happens, or where, may be the source.
  bool may_come(const PartialExecution::Part& part) const {
    if (!execution_.is_open()) return false;
    bool any = false;
    for_each_member(part.candidates, [&](EventId write) {
      any = any || execution_.state(write) == PartialExecution::State::open;
    });
    return any;
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
    orient(is_final);
    if (found_here_ == 0) ++blocked_;
  }

  bool checks_race() const { return has_mixed_sizes_ && !model_.flags.empty(); }

  bool barriers_can_follow_each_other() const {
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

  /// Orients the first pair that is not oriented yet.
  void orient(bool is_final) {
    if (leave_here_ || must_stop()) return;
    auto& choices = execution_.model.inputs.choices;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const auto pair = first_open_pair(choices[i]);
      if (!pair) continue;
      for (const auto& [from, to] : {*pair, std::pair{pair->second, pair->first}}) {
        const std::size_t mark = execution_.mark();
        choices[i].chosen.insert(from, to);
        execution_.model.note(CompiledModel::choice_change(i));
        if (execution_.model.may_become_consistent()) orient(is_final);
        execution_.undo_to(mark);
      }
      return;
    }
    if (execution_.model.is_consistent()) found(is_final);
  }

  static std::optional<std::pair<std::size_t, std::size_t>> first_open_pair(
      const CompiledModel::Choice& choice) {
    const std::size_t stride = (choice.pairs.size() + 63) / 64;
    for (std::size_t a = 0; a < choice.pairs.size(); ++a)
      for (std::size_t w = 0; w < stride; ++w) {
        std::uint64_t open = choice.pairs.words()[a * stride + w] & ~choice.chosen.words()[a * stride + w];
        for (; open != 0; open &= open - 1) {
          const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
          if (!choice.chosen.contains(b, a)) return std::pair{a, b};
        }
      }
    return std::nullopt;
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
    const BitMatrix coherence = execution_.model.value("co");
    outcomes_.add(execution_, coherence);
    if (!options_.all_states && !options_.count_executions && outcomes_.is_condition_met() && !checks_race())
      stopped_ = true;
    if (outcomes_.state_count() >= options_.max_states) stopped_ = true;
    leave_here_ = !checks_race() && (has_one_coherence_ || outcomes_.has_everything());
  }

  /// Whatever is oriented how, coherence order is what it is now.
  bool has_one_coherence() {
    if (!coherence_grows_) return false;
    const BitMatrix least = execution_.model.value("co");
    const BitMatrix more = execution_.model.value_at_most("co") - least;
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
  TermGraph graph_;
  const EventStructure structure_;
  const bool has_mixed_sizes_;
  const cat::Model model_;
  PartialExecution execution_;
  Outcomes outcomes_;
  const Quantifier quantifier_;
  bool coherence_grows_ = false;

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
  Answer answer = Exploration(program, question, model, options).run();
  answer.engine = "explorer";
  answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return answer;
}

}  // namespace ptxmc
