#include "solver/explorer/partial_execution.hpp"

#include <algorithm>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"

namespace ptxmc {

namespace {

std::size_t index(EventId id) { return static_cast<std::size_t>(id); }

/// The variables that occur in a term.
std::vector<Bits> unknowns_of(const Bits& bits) {
  std::vector<Bits> result;
  std::set<const Term*> seen;
  std::vector<const Term*> open;
  if (!bits.is_constant()) open.push_back(bits.term());
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    if (!seen.insert(term).second) continue;
    if (term->op == Operator::variable) result.push_back(Bits(term));
    for (unsigned i = 0; i < term->arity(); ++i) open.push_back(term->operands[i]);
  }
  return result;
}

/// Whether a thread that ends in this way never completes.
bool is_hindrance(Ending::Kind kind) {
  return kind == Ending::Kind::spinning || kind == Ending::Kind::waiting;
}

}  // namespace

PartialExecution::PartialExecution(const EventStructure& structure, const cat::Model& cat_model,
                                   std::span<const std::string> wanted, Ends ends,
                                   std::span<const Bits> asked, std::span<const Bits> evaluated)
    : model(cat_model, *structure.program, structure.events, wanted),
      structure_(structure),
      ends_(ends),
      asked_(asked.begin(), asked.end()),
      events_(structure.events),
      atoms_(atoms_of(structure)),
      writers_(atoms_.size(), BitSet(events_.size())),
      parts_of_(events_.size()),
      states_(events_.size(), State::open),
      sourced_(events_.size()),
      open_(~BitSet(events_.size())),
      endings_(structure.endings.size()) {
  if (ends_ == Ends::completed) check_contents(structure_);
  make_parts();
  include_terms(evaluated);
  find_decisive_parts();
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
    if (original(id).barrier.count && !original(id).goes_on.is_constant()) counted_waits_.push_back(id);
}

void check_contents(const EventStructure& structure) {
  for (const Event& event : structure.events)
    if (event.access.is_indeterminate ||
        (event.kind == EventKind::initial_write && !event.value.is_constant()))
      throw Unsupported("memory of unknown content in the explorer", {});
}

void PartialExecution::make_parts() {
  for (EventId read = 0; read < static_cast<EventId>(events_.size()); ++read) {
    if (!events_[index(read)].is_read()) continue;
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom) {
      if (covers(events_[index(read)], atoms_[atom]).is_false()) continue;
      Part part{.read = read,
                .atom = atom,
                .candidates = BitSet(events_.size()),
                .excluded = BitSet(events_.size()),
                .examined = BitSet(events_.size()),
                .updating = BitSet(events_.size()),
                .taken = BitSet(events_.size())};
      for (EventId write = 0; write < static_cast<EventId>(events_.size()); ++write) {
        const Event& writer = events_[index(write)];
        if (writer.is_write() && writer.rmw != read && !covers(writer, atoms_[atom]).is_false())
          part.candidates.insert(index(write));
      }
      parts_of_[index(read)].push_back(parts_.size());
      parts_.push_back(std::move(part));
    }
  }
  unsourced_ = BitSet(parts_.size());
}

/// Finds the decisive parts: the read has one atom, and its value decides whether the thread spins or traps,
/// or whether a read-modify-write writes.
void PartialExecution::find_decisive_parts() {
  decided_by_.resize(parts_.size());
  deciding_.resize(parts_.size());
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Event& read = original(parts_[i].read);
    if (read.rmw >= 0) update_parts_.push_back(i);
    if (parts_of_[index(parts_[i].read)].size() != 1) continue;
    std::vector<Bits> conditions;
    const auto decide = [&](const Bits& condition) {
      std::vector<Bits> unknowns = unknowns_of(condition);
      const auto own = std::find_if(unknowns.begin(), unknowns.end(),
                                    [&](const Bits& unknown) { return identical(unknown, read.value); });
      if (own == unknowns.end()) return;
      unknowns.erase(own);
      decided_by_[i].push_back(std::move(unknowns));
      conditions.push_back(condition);
    };
    if (read.rmw >= 0) decide(original(read.rmw).condition);
    for (const Ending& ending : structure_.endings[static_cast<std::size_t>(read.thread)])
      if (ending.kind != Ending::Kind::completed && ending.kind != Ending::Kind::bound_reached)
        decide(ending.condition);
    if (!conditions.empty()) deciding_[i] = values_.dependents(read.value.term()->variable, conditions);
  }
}

bool PartialExecution::knows(const std::vector<Bits>& unknowns) const {
  return std::all_of(unknowns.begin(), unknowns.end(),
                     [this](const Bits& unknown) { return values_.find(unknown) != nullptr; });
}

bool PartialExecution::is_decisive(std::size_t part) const {
  return std::any_of(decided_by_[part].begin(), decided_by_[part].end(),
                     [this](const std::vector<Bits>& unknowns) { return knows(unknowns); });
}

PartialExecution::Consequence PartialExecution::consequence(std::size_t i, EventId write,
                                                            bool may_be_cut_off) {
  Consequence result;
  const Part& part = parts_[i];
  const Event& read = original(part.read);
  result.is_update = read.rmw >= 0 && states_[index(read.rmw)] == State::present;
  const Bits* written = values_.find(original(write).value);
  if (!written || written->width() != read.value.width() || !is_decisive(i)) return result;
  bool spins = false;
  const std::size_t before = values_.mark();
  values_.suppose(read.value.term()->variable, *written, deciding_[i]);
  for (const Ending& ending : structure_.endings[static_cast<std::size_t>(read.thread)]) {
    if (ending.kind == Ending::Kind::completed || ending.kind == Ending::Kind::bound_reached ||
        !values_.is_true(ending.condition))
      continue;
    if (ending.kind == Ending::Kind::spinning)
      spins = true;
    else
      result.is_dead_end = true;
  }
  const Bits* writes = read.rmw >= 0 ? values_.find(original(read.rmw).condition) : nullptr;
  result.is_update = writes && writes->is_true();
  const bool is_certain_to_write = read.rmw < 0 || writes;
  values_.undo_to(before);
  if (spins && !may_be_cut_off) result.is_dead_end = true;
  if (ends_ == Ends::any) result.is_dead_end = false;
  const bool may_still_end = spins && !result.is_dead_end && ends_ != Ends::any;
  result.is_certain = is_certain_to_write && !may_still_end &&
                      std::all_of(decided_by_[i].begin(), decided_by_[i].end(),
                                  [this](const std::vector<Bits>& unknowns) { return knows(unknowns); });
  return result;
}

void PartialExecution::include_terms(std::span<const Bits> evaluated) {
  for (const Bits& term : evaluated) values_.include(term);
  for (const Bits& term : asked_) values_.include(term);
  for (const Event& event : events_) {
    for (const Bits* part : {&event.condition, &event.address, &event.location, &event.value,
                             &event.barrier.id, &event.barrier.predicate, &event.goes_on})
      if (part->width() != 0) values_.include(*part);
    if (event.barrier.count) values_.include(*event.barrier.count);
  }
  for (const auto& endings : structure_.endings)
    for (const Ending& ending : endings) {
      values_.include(ending.condition);
      if (ending.use && ending.use->membermask.width() != 0) values_.include(ending.use->membermask);
    }
  for (const auto& registers : structure_.final_registers)
    for (const Bits& value : registers) values_.include(value);
  values_.prepare();
}

// --- Conclusions ------------------------------------------------------------------------------------------

bool PartialExecution::settle() {
  bool knows_more = false;
  for (bool changed = true; changed;) {
    changed = settled_ != values_.mark();
    knows_more |= changed;
    settled_ = values_.mark();
    if (changed)
      for_each_member(open_.words(), open_.word_count(),
                      [&](std::size_t id) { settle_event(static_cast<EventId>(id)); });
    for_each_member(sourced_.words(), sourced_.word_count(),
                    [&](std::size_t id) { settle_read_value(static_cast<EventId>(id)); });
    settle_reductions();
    changed = settled_ != values_.mark();
  }
  if (knows_more && !end_threads()) return false;
  if (ends_ == Ends::any) return true;
  return hindrances_ == 0 ? !ignores_cut_off || !is_some_cut_off() : may_be_cut_off();
}

void PartialExecution::settle_event(EventId id) {
  const Event& event = original(id);
  const Bits* happens = values_.find(event.condition);
  if (!happens) return;
  if (happens->is_true()) {
    const auto is_known = [&](const Bits& bits) { return bits.width() == 0 || values_.find(bits); };
    if (!is_known(event.address) || !is_known(event.location) || !is_known(event.barrier.id) ||
        (event.barrier.count && !is_known(*event.barrier.count)))
      return;
  }
  open_.erase(index(id));
  trail_.push_back({Undo::What::state, index(id)});
  states_[index(id)] = happens->is_true() ? State::present : State::absent;
  if (happens->is_true())
    become_present(id);
  else
    leave_unread(id);
}

/// The value of a read that does not happen has no effect.
void PartialExecution::leave_unread(EventId id) {
  const Event& event = original(id);
  const bool has_unknown = event.is_read() || (event.kind == EventKind::barrier && event.value.width() != 0);
  if (has_unknown) values_.assign(event.value.term()->variable, Bits(event.value.width(), 0));
  if (event.goes_on.width() != 0 && !event.goes_on.is_constant())
    values_.assign(event.goes_on.term()->variable, Bits::boolean(false));
}

bool PartialExecution::is_touched(const Event& event, std::size_t atom) const {
  return atoms_[atom].first - event.location.to_u64() < event.size;
}

void PartialExecution::become_present(EventId id) {
  const Event& from = original(id);
  Event& event = events_[index(id)];
  if (event.is_memory_access()) {
    event.address = *values_.find(from.address);
    event.location = *values_.find(from.location);
    if (!from.location.is_constant() || !from.address.is_constant()) model.locate(events_, id);
  } else if (event.kind == EventKind::fence && from.address.width() != 0) {
    event.address = *values_.find(from.address);
    if (!from.address.is_constant()) model.locate(events_, id);
  } else if (event.kind == EventKind::barrier) {
    event.barrier.id = *values_.find(from.barrier.id);
    if (from.barrier.count) event.barrier.count = *values_.find(*from.barrier.count);
  }
  model.inputs.present.insert(index(id));
  model.note_event(index(id));
  if (event.is_write())
    for (std::size_t atom = 0; atom < atoms_.size(); ++atom)
      if (is_touched(event, atom)) writers_[atom].insert(index(id));
  for (const std::size_t part : parts_of_[index(id)]) {
    parts_[part].is_active = is_touched(event, parts_[part].atom);
    if (parts_[part].is_active) unsourced_.insert(part);
  }
}

/// Sets the value of a read whose atoms all have sources with known values.
void PartialExecution::settle_read_value(EventId read) {
  Bits value;
  for (const std::size_t i : parts_of_[index(read)]) {
    const Part& part = parts_[i];
    if (!part.is_active) continue;
    if (part.source < 0) return;
    const Bits* written = values_.find(original(part.source).value);
    if (!written) return;
    const auto offset =
        static_cast<unsigned>(atoms_[part.atom].first - events_[index(part.source)].location.to_u64());
    const Bits bytes = written->extract(8 * offset, 8 * atoms_[part.atom].count);
    value = value.width() == 0 ? bytes : concat(bytes, value);
  }
  sourced_.erase(index(read));
  trail_.push_back({Undo::What::read_value, index(read)});
  values_.assign(original(read).value.term()->variable, value);
}

/// Returns false if a thread ends in a way that is of no interest.
bool PartialExecution::end_threads() {
  for (std::size_t thread = 0; thread < endings_.size(); ++thread) {
    if (endings_[thread]) continue;
    for (const Ending& ending : structure_.endings[thread]) {
      if (!values_.is_true(ending.condition)) continue;
      if (ends_launch(ending.kind) && ends_ == Ends::completed) return false;
      endings_[thread] = ending.kind;
      if (is_hindrance(ending.kind)) ++hindrances_;
      trail_.push_back({Undo::What::ended, thread});
      break;
    }
  }
  return true;
}

bool PartialExecution::is_some_cut_off() const {
  return std::find(endings_.begin(), endings_.end(), Ending::Kind::bound_reached) != endings_.end();
}

/// Whether some thread may still need more iterations than the bound allows.
bool PartialExecution::may_be_cut_off() const {
  if (ignores_cut_off) return false;
  for (std::size_t thread = 0; thread < endings_.size(); ++thread) {
    if (endings_[thread] == Ending::Kind::bound_reached) return true;
    if (endings_[thread]) continue;
    for (const Ending& ending : structure_.endings[thread])
      if (ending.kind == Ending::Kind::bound_reached && !values_.is_false(ending.condition)) return true;
  }
  return false;
}

bool PartialExecution::all_completed() const {
  return hindrances_ == 0 && std::all_of(endings_.begin(), endings_.end(), [](const auto& ending) {
           return ending == Ending::Kind::completed;
         });
}

bool PartialExecution::is_cut_off() const {
  bool is_some = false;
  for (std::size_t thread = 0; thread < endings_.size(); ++thread)
    is_some = is_some || endings_[thread] == Ending::Kind::bound_reached;
  return is_some && std::all_of(endings_.begin(), endings_.end(),
                                [](const auto& ending) { return ending && !ends_launch(*ending); });
}

// --- Steps ------------------------------------------------------------------------------------------------

void PartialExecution::choose_source(std::size_t i, EventId write) {
  Part& part = parts_[i];
  part.source = write;
  unsourced_.erase(i);
  model.inputs.rf.insert(index(write), index(part.read));
  model.inputs.sources.push_back({index(part.read), index(write), &writers_[part.atom]});
  model.note_source(index(part.read), index(write));
  trail_.push_back({Undo::What::source, i});
  sourced_.insert(index(part.read));
}

void PartialExecution::exclude(std::size_t i, const BitSet& writes) {
  save(Undo::What::excluded, i, parts_[i].excluded);
  insert_bits(parts_[i].excluded.words(), writes.words(), writes.word_count());
}

void PartialExecution::stop_excluding(std::size_t i, const BitSet& writes) {
  save(Undo::What::excluded, i, parts_[i].excluded);
  erase_bits(parts_[i].excluded.words(), writes.words(), writes.word_count());
}

void PartialExecution::examine(std::size_t i, const BitSet& writes) {
  save(Undo::What::examined, i, parts_[i].examined);
  insert_bits(parts_[i].examined.words(), writes.words(), writes.word_count());
}

/// Saves a row of a part before it changes.
void PartialExecution::save(Undo::What what, std::size_t i, const BitSet& row) {
  rows_before_.insert(rows_before_.end(), row.words(), row.words() + row.word_count());
  trail_.push_back({what, i});
}

std::size_t PartialExecution::mark() {
  marks_.push_back({trail_.size(), values_.mark(), settled_});
  const std::size_t depth = model.mark();
  check(depth + 1 == marks_.size(), "the model is marked on its own");
  return depth;
}

void PartialExecution::undo_to(std::size_t depth) {
  const Mark mark = marks_[depth];
  marks_.resize(depth);
  for (; trail_.size() > mark.trail; trail_.pop_back()) undo(trail_.back());
  values_.undo_to(mark.values);
  settled_ = mark.settled;
  model.undo_to(depth);
}

void PartialExecution::undo(const Undo& step) {
  switch (step.what) {
    case Undo::What::state: {
      open_.insert(step.index);
      const bool was_present = states_[step.index] == State::present;
      states_[step.index] = State::open;
      if (!was_present) return;
      model.inputs.present.erase(step.index);
      if (events_[step.index].is_write())
        for (BitSet& writers : writers_) writers.erase(step.index);
      for (const std::size_t part : parts_of_[step.index]) {
        parts_[part].is_active = false;
        unsourced_.erase(part);
      }
      events_[step.index].address = structure_.events[step.index].address;
      events_[step.index].location = structure_.events[step.index].location;
      events_[step.index].barrier = structure_.events[step.index].barrier;
      return;
    }
    case Undo::What::source: {
      Part& part = parts_[step.index];
      const EventId write = part.source;
      part.source = -1;
      unsourced_.insert(step.index);
      model.inputs.sources.pop_back();
      const auto& parts = parts_of_[index(part.read)];
      bool still = false, is_sourced = false;
      for (const std::size_t other : parts) {
        still |= parts_[other].source == write;
        is_sourced |= parts_[other].source >= 0;
      }
      if (!still) model.inputs.rf.erase(index(write), index(part.read));
      if (!is_sourced) sourced_.erase(index(part.read));
      return;
    }
    case Undo::What::excluded:
    case Undo::What::examined: {
      Part& part = parts_[step.index];
      BitSet& row = step.what == Undo::What::excluded ? part.excluded : part.examined;
      const std::size_t place = rows_before_.size() - row.word_count();
      std::copy_n(rows_before_.data() + place, row.word_count(), row.words());
      rows_before_.resize(place);
      return;
    }
    case Undo::What::joined:
      return leave_phase(step.index);
    case Undo::What::ended:
      if (is_hindrance(*endings_[step.index])) --hindrances_;
      endings_[step.index].reset();
      return;
    case Undo::What::read_value:
      sourced_.insert(step.index);
      return;
  }
}

// --- The whole --------------------------------------------------------------------------------------------

bool PartialExecution::is_all_known() const {
  const auto is_known = [this](const Bits& bits) {
    return bits.width() == 0 || values_.find(bits) != nullptr;
  };
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
    if (state(id) == State::present && !is_known(original(id).value)) return false;
  return std::ranges::all_of(endings_, [](const auto& ending) { return ending.has_value(); }) &&
         std::ranges::all_of(asked_, is_known) &&
         std::ranges::all_of(structure_.final_registers,
                             [&](const auto& registers) { return std::ranges::all_of(registers, is_known); });
}

/// By thread, the undefined use with which it has ended.
std::map<int, ObjectUse> PartialExecution::undefined_uses() const {
  std::map<int, ObjectUse> result;
  for (std::size_t thread = 0; thread < endings_.size(); ++thread)
    for (const Ending& ending : structure_.endings[thread]) {
      if (!ending.use || endings_[thread] != ending.kind || !values_.is_true(ending.condition)) continue;
      ObjectUse& use = result[static_cast<int>(thread)] = *ending.use;
      if (use.membermask.width() != 0) use.membermask = *values_.find(use.membermask);
    }
  return result;
}

Execution PartialExecution::execution() const {
  Execution result;
  result.program = structure_.program;
  std::vector<EventId> numbers;
  EventId next = 0;
  for (const State state : states_) numbers.push_back(state == State::present ? next++ : -1);
  result.events.reserve(static_cast<std::size_t>(next));
  std::vector<int> phase_of(events_.size(), -1);
  for (std::size_t phase = 0; phase < phases_.size(); ++phase)
    for (const EventId member : phases_[phase].members) phase_of[index(member)] = static_cast<int>(phase);
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
    if (numbers[index(id)] < 0) continue;
    Event& event = result.events.emplace_back(events_[index(id)]);
    event.condition = Bits::boolean(true);
    if (event.value.width() != 0) event.value = *values_.find(original(id).value);
    if (event.rmw >= 0)
      event.rmw = numbers[index(event.rmw)] < 0 ? Event::not_written : numbers[index(event.rmw)];
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
      std::erase_if(*reads, [&](EventId read) { return numbers[index(read)] < 0; });
      for (EventId& read : *reads) read = numbers[index(read)];
    }
    result.barrier_phase.push_back(phase_of[index(id)]);
  }
  for (const Part& part : parts_)
    if (part.is_active)
      result.reads_from.push_back({numbers[index(part.read)], numbers[index(part.source)],
                                   atoms_[part.atom].first, atoms_[part.atom].count});
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i) {
    Pairs& pairs = result.choices[model.inputs.choices[i].name];
    for (const auto& [a, b] : model.chosen(i).pairs()) pairs.emplace_back(numbers[a], numbers[b]);
  }
  result.endings = endings_;
  result.undefined_uses = undefined_uses();
  for (const auto& registers : structure_.final_registers) {
    auto& values = result.final_registers.emplace_back();
    for (const Bits& value : registers) values.push_back(*values_.find(value));
  }
  return result;
}

}  // namespace ptxmc
