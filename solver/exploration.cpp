#include "solver/exploration.hpp"

#include <algorithm>
#include <utility>

#include "semantics/diagnostic.hpp"
#include "solver/encoding.hpp"
#include "solver/explored_model.hpp"
#include "solver/final_state.hpp"
#include "solver/time_limit.hpp"

namespace ptxmc {

namespace {

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

}  // namespace

Exploration::Exploration(const Program& program, const Question& question, const cat::Model& model,
                         const DecideOptions& options, const EventStructure& structure,
                         ExplorationWatch& watch, std::vector<std::string> sought)
    : options_(options),
      structure_(structure),
      watch_(watch),
      has_mixed_sizes_(may_overlap_partially(structure_)),
      reads_behind_(waiting_depends_on_reads(structure_) ? std::optional<ReadsBehind>(structure_)
                                                         : std::nullopt),
      sought_(std::move(sought)),
      model_(sought_.empty() ? with_voiding_flags(model, has_mixed_sizes_)
                             : with_flags(model,
                                          [this](const std::string& name) {
                                            return std::ranges::find(sought_, name) != sought_.end();
                                          })),
      void_reason_(voiding_flag(structure_, model_)),
      execution_(structure_, model_, std::vector<std::string>{"co"}),
      next_(execution_, structure_, model_),
      renaming_(structure_, execution_.model, shown_terms(question)),
      outcomes_(program, question, model, structure_, options),
      quantifier_(question.quantifier),
      step_cost_(cost_of_step(structure.events.size())) {
  if (!execution_.model.forbids_thin_air() && may_read_from_thin_air(structure_, execution_.parts()))
    throw Unsupported("the explorer under a model that allows values out of thin air", {});
  for (const cat::Test& flag : model_.flags)
    flag_falls_.push_back(flag.negated ? shrinks_with_choices(model_, flag.node)
                                       : grows_with_choices(model_, flag.node));
  for (std::size_t i = 0; i < execution_.model.inputs.choices.size(); ++i)
    coherence_tells_all_ =
        coherence_tells_all_ && (!execution_.model.may_have_pairs(i) || execution_.model.reveals("co", i));
}

Exploration::Course Exploration::explore(const StepLimit& limit) {
  limit_ = limit;
  return explore();
}

Exploration::Course Exploration::explore(const Place& place, std::size_t number,
                                         const AreTooMany& are_too_many) {
  outcomes_.enter_part(number);
  place_ = place.path;
  are_too_many_ = &are_too_many;
  Course course = explore();
  are_too_many_ = nullptr;
  place_.clear();
  return course;
}

/// Explores from the beginning; earlier explorations have no influence.
Exploration::Course Exploration::explore() {
  orientations_.forget_suspects();
  execution_.ignores_cut_off = false;
  course_ = {};
  start();
  watch_.note(std::exchange(found_, 0));
  return std::exchange(course_, {});
}

std::pair<std::vector<Place>, Exploration::Course> Exploration::split(std::size_t at_least) {
  const auto places_at = [&](std::size_t depth) {
    std::vector<Place> places;
    places_ = &places;
    split_depth_ = depth;
    limit_ = {};
    course_ = {};
    start();
    places_ = nullptr;
    return places;
  };
  std::vector<Place> places = divide(at_least, places_at);
  return {std::move(places), std::exchange(course_, {})};
}

void Exploration::start() {
  path_.clear();
  depth_ = 0;
  share_ = 1;
  done_ = 0;
  const std::size_t mark = execution_.mark();
  try {
    if (execution_.settle() && execution_.model.may_become_consistent()) {
      if (!has_started_) rule_out_sources();
      has_started_ = true;
      if (are_too_many_) course_.steps = 0;  // counts the steps of the first explored place only
      extend();
    }
  } catch (const OutOfTime& out) {
    course_.stop(out.what());
  }
  execution_.undo_to(mark);
}

/// Excludes the sources that the axioms refuse independently of other choices.
void Exploration::rule_out_sources() {
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

/// Extends the execution; the caller must undo it.
void Exploration::extend() {
  if (must_stop()) return;
  if (steps_at_.size() <= depth_) steps_at_.emplace_back();
  Step& step = steps_at_[depth_];
  const bool is_split_here = places_ && depth_ == split_depth_;
  if (is_split_here) {
    places_->push_back({path_, done_ + share_});
  } else if (advance(step) && orient_updates_of_one_write() &&
             !(can_skip_states() && outcomes_.knows_registers(execution_))) {
    if (can_orient_suspects()) return branch_anew(step);
    ++course_.blocked;
  }
  done_ += share_;
}

void Exploration::branch_anew(const Step& step) {
  if (renaming_.is_trivial() || step.kind != Step::Kind::source)
    branch(step);
  else
    branch_up_to_renaming(step);
}

/// Partial executions that differ only by a permutation of interchangeable threads end in the same states,
/// equally often.
void Exploration::branch_up_to_renaming(const Step& step) {
  next_.stop_excluding_refused();
  const auto [place, is_new] = explored_.try_emplace(renaming_.key(execution_));
  Outcomes::Tally& tally = place->second;
  if (is_new) {
    outcomes_.open_tally();
    branch(step);
    tally = outcomes_.close_tally();
  } else {
    done_ += share_;
  }
  outcomes_.add(tally, 1);
}

/// Performs the steps without alternatives, up to the next choice. Returns false if there is no execution.
bool Exploration::advance(Step& step) {
  for (;;) {
    if (!execution_.settle()) {
      ++course_.blocked;
      return false;
    }
    next_.find(step);
    if (step.is_forced()) {
      next_.take(step);
      continue;
    }
    if (!execution_.model.may_become_consistent()) return false;
    if (step.kind != Step::Kind::source) return true;
    next_.refuse_sources(step);
    next_.refuse_unfounded(step);
    if (step.has_no_way()) return false;
    if (!step.is_forced()) return true;
    next_.take(step);
  }
}

/// Whether executions that end in a known state need no further examination.
bool Exploration::can_skip_states() const {
  return !options_.count_executions && !checks_race() && !looks_for_flags() && !execution_.may_be_cut_off();
}

/// Checks read-modify-writes that have read the same write, which most models forbid. This is done before
/// their writes are oriented; pairs with only one possible direction are oriented. Returns false if there is
/// no execution.
bool Exploration::orient_updates_of_one_write() {
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
        if (execution_.model.inputs.choices[choice].is_fixed && execution_.model.is_open_pair(choice, a, b) &&
            !orient_if_forced(choice, a, b))
          return false;
    }
  }
  return true;
}

bool Exploration::is_update(const PartialExecution::Part& part) const {
  if (!part.is_active || part.source < 0) return false;
  const EventId write = execution_.events()[index(part.read)].rmw;
  return write >= 0 && execution_.state(write) == PartialExecution::State::present;
}

/// Returns false if neither direction of the pair is possible.
bool Exploration::orient_if_forced(std::size_t choice, std::size_t a, std::size_t b) {
  const bool forward = can_orient(choice, a, b), backward = can_orient(choice, b, a);
  if (!forward && !backward) return false;
  if (forward != backward) {
    execution_.model.orient(choice, forward ? a : b, forward ? b : a);
  }
  return execution_.model.may_become_consistent();
}

bool Exploration::can_orient(std::size_t choice, std::size_t from, std::size_t to) {
  const std::size_t mark = execution_.mark();
  execution_.model.orient(choice, from, to);
  const bool can = execution_.model.may_become_consistent();
  execution_.undo_to(mark);
  return can;
}

/// Takes one alternative of a choice, if it belongs to the part of the tree that is explored.
template <class Choose>
void Exploration::follow(std::uint32_t number, const Choose& choose) {
  if (depth_ < place_.size() && place_[depth_] != number) return;
  const std::size_t mark = execution_.mark();
  choose();
  ++depth_;
  if (places_) path_.push_back(number);
  extend();
  if (places_) path_.pop_back();
  --depth_;
  execution_.undo_to(mark);
}

void Exploration::choose(const Step& step, EventId source) {
  execution_.choose_source(step.which, source);
  chosen_thread_ = execution_.events()[index(execution_.parts()[step.which].read)].thread;
}

void Exploration::branch_over_sources(const Step& step) {
  std::uint32_t number = 0;
  const unsigned later = step.later ? 1 : 0;
  if (renaming_.is_trivial()) {
    share_ /= static_cast<double>(count(step.options) + later);
    for_each_event(step.options, [&](EventId write) { follow(number++, [&] { choose(step, write); }); });
  } else {
    const auto representatives = renaming_.representatives(execution_, step.which, step.options);
    share_ /= static_cast<double>(representatives.size() + later);
    for (const auto& [write, times] : representatives) {
      outcomes_.open_tally();
      follow(number++, [&, source = write] { choose(step, source); });
      outcomes_.add(outcomes_.close_tally(), times);
    }
  }
  if (step.later) follow(number, [&] { execution_.exclude(step.which, step.options | step.refused); });
}

void Exploration::branch(const Step& step) {
  const double share = share_;
  std::uint32_t number = 0;
  switch (step.kind) {
    case Step::Kind::source:
      branch_over_sources(step);
      share_ = share;
      return;
    case Step::Kind::matching:
      share_ /= static_cast<double>(step.matchings.size());
      for (const BarrierMatching& matching : step.matchings)
        follow(number++, [&] { execution_.match(step.which, matching); });
      share_ = share;
      return;
    default:
      done_ += share_;
      return end(step);
  }
}

void Exploration::end(const Step& step) {
  switch (step.kind) {
    case Step::Kind::complete:
      if (places_) return places_->push_back({path_, done_});
      return complete();
    case Step::Kind::blocked:
      course_.needs_reduction = course_.needs_reduction || execution_.awaits_reduction();
      course_.stopped = course_.stopped || course_.needs_reduction;
      [[fallthrough]];
    case Step::Kind::impossible:
      ++course_.blocked;
      return;
    default:
      fail_check("this is a choice, or what is forced");
  }
}

bool Exploration::must_stop() {
  if (course_.stopped) return true;
  const std::uint64_t before = course_.steps / 256;
  course_.steps += step_cost_;
  if (!are_too_many_ && limit_.is_past(course_.steps, done_)) course_.stop(StepLimit::reason);
  if (depth_ > StepLimit::deepest) course_.stop(StepLimit::reason);
  if (course_.steps / 256 != before) look_at_watch();
  return course_.stopped;
}

void Exploration::look_at_watch() {
  if (are_too_many_ && (*are_too_many_)(course_.steps)) course_.stop(StepLimit::reason);
  if (const std::string reason = watch_.reason_to_stop(); !reason.empty()) course_.stop(reason);
  watch_.note(std::exchange(found_, 0));
}

Answer Exploration::answer(const Course& course) {
  Answer answer;
  if (void_reason_) {
    answer.shown = outcomes_.shown();
    answer.reason = *void_reason_;
    return answer;
  }
  answer = outcomes_.answer(!course.stopped && !course.was_cut_off, course.reason,
                            {.has_race = course.has_race, .checks_race = checks_race()});
  const bool went_all_the_way = !course.has_race && course.reason != state_limit;
  if (went_all_the_way) answer.blocked = course.blocked;
  return answer;
}

std::vector<FlagFinding> Exploration::flag_findings(const Course& course) const {
  std::vector<FlagFinding> findings;
  for (const cat::Test& flag : model_.flags) {
    if (!looks_at_flag(flag.name)) continue;
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
  steps += next.steps;
  blocked += next.blocked;
  was_cut_off |= next.was_cut_off;
  has_race |= next.has_race;
  needs_reduction |= next.needs_reduction;
  raised.merge(next.raised);
  stopped |= next.stopped;
  if (reason.empty()) reason = std::move(next.reason);
}

}  // namespace ptxmc
