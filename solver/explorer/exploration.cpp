#include "solver/explorer/exploration.hpp"

#include <algorithm>
#include <utility>

#include "solver/encoding/final_state.hpp"
#include "solver/explorer/explored_model.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

Exploration::Exploration(const Question& question, const cat::Model& model, const DecideOptions& options,
                         const ExploredStructure& explored, ProgressReport& report,
                         std::vector<std::string> sought)
    : options_(options),
      flags_(model, explored.events(), std::move(sought)),
      void_reason_(voiding_flag(explored.events(), flags_.model())),
      execution_(explored.events(), flags_.model(), std::vector<std::string>{"co"},
                 PartialExecution::Ends::completed, {}, explored.barriers().terms()),
      coherence_step_(execution_.model.find_step("co")),
      outcomes_(question, model, explored.events(), options),
      walk_(explored.events(), flags_.model(), execution_, explored.barriers(), explored.counted(), report) {
  ThreadRenaming renaming(explored.events(), execution_.model, observed_state(question, options.all_states));
  // The key of an execution does not include the choice of arrivals for a phase with a count, nor refused
  // arrivals.
  if (!renaming.is_trivial() && !has_counted_barriers(explored.events())) {
    alike_.emplace(InterchangeableThreads{std::move(renaming), outcomes_});
    walk_.take_one_for_all(*alike_);
  }
  for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i)
    coherence_tells_all_ =
        coherence_tells_all_ && (!execution_.model.may_have_pairs(i) || execution_.model.reveals("co", i));
}

Exploration::Course Exploration::explore(const StepLimit& limit) { return take(walk_.run(*this, limit)); }

Exploration::Course Exploration::explore(const Place& place, std::size_t number,
                                         const AreTooMany& are_too_many) {
  outcomes_.enter_part(number);
  return take(walk_.run(*this, place.path, are_too_many));
}

std::pair<std::vector<Place>, Exploration::Course> Exploration::split(std::size_t at_least) {
  auto [places, course] = walk_.divide(at_least, *this);
  return {std::move(places), take(std::move(course))};
}

void Exploration::share(const std::vector<std::unique_ptr<Exploration>>& others, std::size_t places) {
  states_ = std::make_shared<SharedStates>(places);
  outcomes_.share(*states_);
  for (const auto& other : others) other->outcomes_.share(*states_);
}

void Exploration::end_place(std::size_t number, Course& course) {
  if (states_->count_up_to(number) > options_.max_states) course.stop(state_limit);
}

/// Adds the observations of this exploration to a result.
Exploration::Course Exploration::take(ExecutionWalk::Course course) {
  static_cast<ExecutionWalk::Course&>(seen_).add(course);
  return std::exchange(seen_, {});
}

// --- Observations of executions -------------------------------------------------------------------------

/// Whether executions that end in a known state need no further examination.
bool Exploration::may_show_something(const PartialExecution& execution) {
  const bool can_skip_states = !options_.count_executions && !flags_.are_any() && !execution.may_be_cut_off();
  return !can_skip_states || !outcomes_.knows_registers(execution);
}

bool Exploration::begin(PartialExecution& execution) {
  if (!execution.all_completed()) return execution.is_cut_off() && !seen_.was_cut_off;
  if (flags_.are_sought()) return flags_.may_be_raised(execution, seen_.raised);
  outcomes_.begin(execution);
  return flags_.check_race() || !outcomes_.has_everything();
}

ExecutionObserver::Next Exploration::look(PartialExecution& execution, bool has_one_coherence) {
  ++executions_;
  if (!execution.all_completed()) {
    seen_.was_cut_off = true;
    execution.ignores_cut_off = true;
    return Next::other_sources;
  }
  if (flags_.are_sought()) return flags_.note(execution, seen_.raised) ? Next::nothing : Next::all;
  return add_states(execution, has_one_coherence);
}

ExecutionObserver::Next Exploration::add_states(PartialExecution& execution, bool has_one_coherence) {
  if (flags_.check_race() && flags_.has_race(execution)) {
    seen_.has_race = true;
    return Next::nothing;
  }
  execution.model.copy_value(coherence_step_, coherence_);
  outcomes_.add(execution, coherence_, !has_one_coherence && !coherence_tells_all_);
  if (outcomes_.are_too_many_states()) {
    seen_.stop(state_limit);
    return Next::nothing;
  }
  if (flags_.check_race()) return Next::all;
  if (!options_.all_states && !options_.count_executions && outcomes_.is_condition_met())
    return Next::nothing;
  return has_one_coherence || outcomes_.has_everything() ? Next::other_sources : Next::all;
}

// --- Answers ----------------------------------------------------------------------------------------------

Answer Exploration::answer(const Course& course) {
  Answer answer;
  if (void_reason_) {
    answer.shown = outcomes_.shown();
    answer.reason = *void_reason_;
    return answer;
  }
  const VoidingRace race = course.has_race       ? VoidingRace::found
                           : flags_.check_race() ? VoidingRace::possible
                                                 : VoidingRace::impossible;
  answer = outcomes_.answer(!course.stopped && !course.was_cut_off, course.reason, race);
  const bool went_all_the_way = !course.has_race && course.reason != state_limit;
  if (went_all_the_way) answer.blocked = course.blocked;
  return answer;
}

std::vector<FlagFinding> Exploration::flag_findings(const Course& course) const {
  std::vector<FlagFinding> findings;
  for (const cat::Test& flag : flags_.model().flags) {
    if (!flags_.contains(flag.name)) continue;
    FlagFinding& finding = findings.emplace_back();
    finding.name = flag.name;
    finding.engine = "explorer";
    if (void_reason_ && flag.name != *void_reason_) {
      finding.reason = *void_reason_;
    } else if (const auto found = course.raised.find(flag.name); found != course.raised.end()) {
      finding.raised = Verdict::allowed;
      finding.witness = found->second;
    } else if (!course.stopped && !course.was_cut_off) {
      finding.raised = Verdict::forbidden;
    } else {
      finding.reason = course.reason.empty() ? "loop bound " + std::to_string(options_.bound) : course.reason;
    }
  }
  return findings;
}

void Exploration::Course::add(Course next) {
  ExecutionWalk::Course::add(next);
  was_cut_off |= next.was_cut_off;
  has_race |= next.has_race;
  raised.merge(next.raised);
}

}  // namespace ptxmc
