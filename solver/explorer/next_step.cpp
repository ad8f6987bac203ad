#include "solver/explorer/next_step.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "semantics/values/check.hpp"

namespace ptxmc {

namespace {

EventId first(const BitSet& set) {
  std::size_t w = 0;
  while (set.words()[w] == 0) ++w;
  return static_cast<EventId>(w * 64 + static_cast<std::size_t>(std::countr_zero(set.words()[w])));
}

}  // namespace

std::size_t count(const BitSet& set) {
  std::size_t result = 0;
  for (std::size_t w = 0; w < set.word_count(); ++w)
    result += static_cast<std::size_t>(std::popcount(set.words()[w]));
  return result;
}

bool Step::is_forced() const {
  if (kind == Kind::source) return later && options.is_empty();
  return kind == Kind::forced;
}

NextStep::NextStep(PartialExecution& execution, const EventStructure& structure, const cat::Model& model)
    : execution_(execution),
      well_founded_reads_(structure, execution),
      consumers_(structure.events.size()),
      awaited_(structure.events.size()),
      scratch_(structure.events.size()),
      dead_ends_(structure.events.size()),
      certain_(structure.events.size()) {
  if (execution.update_parts().size() > 1) rivals_.emplace(structure, model);
  find_what_holds_up(structure);
}

/// Finds the reads on which conditions and addresses depend, and transitively the reads on which the writes
/// depend that these may read.
void NextStep::find_what_holds_up(const EventStructure& structure) {
  std::vector<const Term*> open;
  const auto need = [&](const Bits& bits) {
    if (bits.width() != 0 && !bits.is_constant()) open.push_back(bits.term());
  };
  for (const Event& event : structure.events) {
    for (const Bits* part : {&event.condition, &event.address, &event.location, &event.barrier.id})
      need(*part);
    if (event.barrier.count) need(*event.barrier.count);
  }
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) need(ending.condition);
  std::vector<std::vector<std::size_t>> read_as(structure.events.size());  // by event: parts
  std::map<VariableId, std::size_t> event_of;
  for (std::size_t i = 0; i < structure.events.size(); ++i) {
    const Bits& value = structure.events[i].value;
    if (value.width() != 0 && !value.is_constant() && value.term()->op == Operator::variable)
      event_of.try_emplace(value.term()->variable, i);
  }
  const auto& parts = execution_.parts();
  holds_up_.assign(parts.size(), false);
  for (std::size_t i = 0; i < parts.size(); ++i) read_as[index(parts[i].read)].push_back(i);
  std::set<const Term*> seen;
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    if (!seen.insert(term).second) continue;
    for (unsigned i = 0; i < term->arity(); ++i) open.push_back(term->operands[i]);
    if (term->op != Operator::variable || !event_of.contains(term->variable)) continue;
    const std::size_t event = event_of[term->variable];
    if (structure.events[event].kind == EventKind::barrier)  // a reduction
      for (const Event& other : structure.events) need(other.barrier.predicate);
    for (const std::size_t part : read_as[event]) {
      holds_up_[part] = true;
      for_each_event(parts[part].candidates,
                     [&](EventId write) { need(structure.events[index(write)].value); });
    }
  }
}

void NextStep::find(Step& step) {
  step.kind = Step::Kind::complete;
  step.later = false;
  step.forced.clear();
  may_be_cut_off_ = execution_.may_be_cut_off();
  find_consumers();
  is_waiting_ = execution_.is_open();
  is_some_without_source_ = false;
  movable_ = 0;
  const BitSet& unsourced = execution_.unsourced();
  for_each_member(unsourced.words(), unsourced.word_count(), [&](std::size_t i) {
    if (step.kind != Step::Kind::impossible) consider(step, i);
  });
  if (step.kind == Step::Kind::complete && is_waiting_) step.kind = Step::Kind::blocked;
  if (step.kind != Step::Kind::source) return;
  step.refused = scratch_;
  std::fill_n(step.refused.words(), step.refused.word_count(), 0);
  // No further write can come if no other thread can continue.
  if (step.later && movable_ == 1 && !execution_.may_fill_phase()) step.later = false;
  if (!step.later && count(step.options) == 1) force(step, step.which, first(step.options));
}

/// Makes this part the next step if its rank is better than the best so far.
void NextStep::consider(Step& step, std::size_t i) {
  find_options(i, scratch_);
  const bool later = may_come(i);
  const std::size_t choices = count(scratch_);
  if (choices == 0 && !later) {
    step.kind = Step::Kind::impossible;
    return;
  }
  is_some_without_source_ = is_some_without_source_ || choices == 0;
  if (choices == 0 || (later && !holds_up_[i])) {
    is_waiting_ = true;
    return;
  }
  ++movable_;
  if (choices == 1 && !later) return force(step, i, first(scratch_));
  if (step.kind == Step::Kind::forced) return;
  const EventId written = execution_.events()[index(execution_.parts()[i].read)].rmw;
  const bool is_awaited = written >= 0 && awaited_.contains(index(written));
  const std::tuple weight{later, is_guess(i, scratch_), !is_awaited, choices};
  if (step.kind == Step::Kind::source && weight >= best_) return;
  best_ = weight;
  step.kind = Step::Kind::source;
  step.which = i;
  step.later = later;
  step.options = scratch_;
}

/// Whether the consequences of some source are not known yet, because its value is unknown; it may be a dead
/// end.
bool NextStep::is_guess(std::size_t i, const BitSet& options) const {
  if (!execution_.decides(i)) return false;
  bool is_known = true;
  for_each_event(options, [&](EventId write) { is_known = is_known && execution_.value_written(write); });
  return !is_known;
}

/// Adds a forced source. Only one read-modify-write is forced at a time, since two may exclude each other.
void NextStep::force(Step& step, std::size_t i, EventId source) const {
  const auto updates = [this](std::size_t part) {
    return execution_.events()[index(execution_.parts()[part].read)].rmw >= 0;
  };
  step.kind = Step::Kind::forced;
  if (updates(i) && std::any_of(step.forced.begin(), step.forced.end(),
                                [&](const auto& other) { return updates(other.first); }))
    return;
  step.forced.emplace_back(i, source);
}

void NextStep::take(const Step& step) {
  switch (step.kind) {
    case Step::Kind::forced:
      for (const auto& [part, source] : step.forced) execution_.choose_source(part, source);
      return;
    case Step::Kind::source:
      return execution_.exclude(step.which, step.refused);
    default:
      fail_check("a step that is no choice is none at all");
  }
}

void NextStep::find_consumers() {
  for (const EventId write : consumed_) consumers_[index(write)].clear();
  consumed_.clear();
  std::fill_n(awaited_.words(), awaited_.word_count(), 0);
  for (const std::size_t i : execution_.update_parts()) {
    const Part& part = execution_.parts()[i];
    if (!part.is_active || part.source < 0) continue;
    if (execution_.state(execution_.events()[index(part.read)].rmw) != PartialExecution::State::present)
      continue;
    consumers_[index(part.source)].push_back(i);
    awaited_.insert(index(part.source));
    consumed_.push_back(part.source);
  }
}

/// Excludes, for all completions, the writes after which the reading thread cannot reach an end of interest.
void NextStep::find_dead_ends(std::size_t i) {
  Part& part = execution_.parts()[i];
  const BitSet &writers = execution_.writers(part.atom), &open = execution_.open_events();
  for (std::size_t w = 0; w < certain_.word_count(); ++w)
    certain_.words()[w] = part.candidates.words()[w] & ~part.excluded.words()[w] & ~part.examined.words()[w] &
                          (writers.words()[w] | open.words()[w]);
  if (certain_.is_empty() || !execution_.is_decisive(i)) return;
  std::fill_n(dead_ends_.words(), dead_ends_.word_count(), 0);
  for_each_event(certain_, [&](EventId write) {
    const auto consequence = execution_.consequence(i, write, may_be_cut_off_);
    if (consequence.is_dead_end) dead_ends_.insert(index(write));
    if (consequence.is_dead_end || !consequence.is_certain) certain_.erase(index(write));
    part.updating.erase(index(write));
    if (consequence.is_update) part.updating.insert(index(write));
  });
  if (!dead_ends_.is_empty()) execution_.exclude(i, dead_ends_);
  if (!certain_.is_empty()) execution_.examine(i, certain_);
}

/// The existing writes that a read may take a part from, as far as known values show.
void NextStep::find_options(std::size_t i, BitSet& options) {
  find_dead_ends(i);
  Part& part = execution_.parts()[i];
  const BitSet& writers = execution_.writers(part.atom);
  for (std::size_t w = 0; w < options.word_count(); ++w)
    options.words()[w] = part.candidates.words()[w] & writers.words()[w] & ~part.excluded.words()[w];
  if (execution_.events()[index(part.read)].rmw < 0) return;
  std::fill_n(part.taken.words(), part.taken.word_count(), 0);
  for_each_event(options, [&](EventId write) {
    if (!consumers_[index(write)].empty() && is_update(i, write) && has_rival(part, write))
      part.taken.insert(index(write));
  });
  erase_bits(options.words(), part.taken.words(), options.word_count());
}

void NextStep::stop_excluding_refused() {
  for (const std::size_t i : execution_.update_parts()) {
    const Part& part = execution_.parts()[i];
    if (!part.is_active || part.source >= 0 || part.excluded.is_empty()) continue;
    BitSet refused(part.excluded.size());
    for_each_event(part.excluded, [&](EventId write) {
      if (!consumers_[index(write)].empty() && is_update(i, write) && has_rival(part, write))
        refused.insert(index(write));
    });
    if (!refused.is_empty()) execution_.stop_excluding(i, refused);
  }
}

/// Whether a read-modify-write that reads from this write certainly writes.
bool NextStep::is_update(std::size_t i, EventId write) {
  const Part& part = execution_.parts()[i];
  return part.examined.contains(index(write)) ? part.updating.contains(index(write))
                                              : execution_.consequence(i, write, may_be_cut_off_).is_update;
}

bool NextStep::has_rival(const Part& part, EventId write) {
  const auto& others = consumers_[index(write)];
  return rivals_ && std::any_of(others.begin(), others.end(), [&](std::size_t i) {
           const Part& other = execution_.parts()[i];
           return other.read != part.read && other.atom == part.atom &&
                  rivals_->exclude_each_other(other.read, part.read, write);
         });
}

/// Whether the source may be a write for which it is open whether it happens, or at which address.
bool NextStep::may_come(std::size_t i) const {
  const Part& part = execution_.parts()[i];
  const BitSet& open = execution_.open_events();
  for (std::size_t w = 0; w < open.word_count(); ++w)
    if ((part.candidates.words()[w] & open.words()[w] & ~part.excluded.words()[w]) != 0) return true;
  return false;
}

bool NextStep::is_refused(const Part& part, std::size_t write) const {
  return execution_.model.refuses({index(part.read), write, &execution_.writers(part.atom)});
}

void NextStep::refuse_sources(Step& step) {
  const Part& part = execution_.parts()[step.which];
  for_each_event(step.options, [&](EventId write) {
    if (!is_refused(part, index(write))) return;
    step.options.erase(index(write));
    step.refused.insert(index(write));
  });
  if (step.later || count(step.options) != 1) return;
  force(step, step.which, first(step.options));
  find_forced(step);
}

void NextStep::refuse_unfounded(Step& step) {
  if (step.kind != Step::Kind::source) return;
  const auto refuse = [&](EventId write) {
    step.options.erase(index(write));
    step.refused.insert(index(write));
  };
  if (is_some_without_source_)
    for_each_event(step.options, [&](EventId write) {
      if (!well_founded_reads_.can_take(step.which, write)) refuse(write);
    });
  if (step.later && !well_founded_reads_.can_do_without({&step.which, 1}, step.options | step.refused))
    step.later = false;
  if (!step.later && count(step.options) == 1) force(step, step.which, first(step.options));
}

bool NextStep::one_must_take(std::span<const std::size_t> parts, EventId write) {
  if (!rivals_) return false;
  const Part& first = execution_.parts()[parts.front()];
  for (const std::size_t i : parts) {
    const Part& part = execution_.parts()[i];
    const bool can_take = part.is_active && part.source < 0 && part.atom == first.atom &&
                          part.candidates.contains(index(write)) && !part.excluded.contains(index(write));
    if (!can_take || execution_.events()[index(part.read)].rmw < 0 || !is_update(i, write)) return false;
    if (i != parts.front() && !rivals_->exclude_each_other(first.read, part.read, write)) return false;
  }
  BitSet sources(execution_.events().size());
  sources.insert(index(write));
  return !well_founded_reads_.can_do_without(parts, sources);
}

/// Finds the reads to which the model leaves one source. The model must be up to date.
void NextStep::find_forced(Step& step) {
  const BitSet& unsourced = execution_.unsourced();
  for_each_member(unsourced.words(), unsourced.word_count(), [&](std::size_t i) {
    if (i == step.which || step.kind != Step::Kind::forced) return;
    find_options(i, scratch_);
    if (may_come(i)) return;
    const Part& part = execution_.parts()[i];
    for_each_event(scratch_, [&](EventId write) {
      if (is_refused(part, index(write))) scratch_.erase(index(write));
    });
    const std::size_t choices = count(scratch_);
    if (choices == 0) step.kind = Step::Kind::impossible;
    if (choices == 1) force(step, i, first(scratch_));
  });
}

}  // namespace ptxmc
