#include "solver/explorer/partial_execution.hpp"

#include <algorithm>

#include "model/program/copied_bytes.hpp"
#include "semantics/language/diagnostic.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"

namespace ptxmc {

namespace {

/// The terms of a structure, and further ones, none of whose unknowns has a value yet.
KnownValues values_of(const EventStructure& structure, std::span<const Bits> asked,
                      std::span<const Bits> evaluated) {
  KnownValues values;
  for (const Bits& term : evaluated) values.include(term);
  for (const Bits& term : asked) values.include(term);
  for (const Event& event : structure.events) {
    for (const Bits* part : {&event.condition, &event.address, &event.location, &event.value,
                             &event.barrier.id, &event.barrier.predicate, &event.goes_on})
      if (part->width() != 0) values.include(*part);
    if (event.barrier.count) values.include(*event.barrier.count);
    for (const Completion& completion : event.completes) values.include(completion.condition);
  }
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings) {
      values.include(ending.condition);
      if (ending.use)
        for (const Bits& value : values_in(*ending.use)) values.include(value);
    }
  for (const auto& registers : structure.final_registers)
    for (const Bits& value : registers) values.include(value);
  if (structure.copied != nullptr && structure.copied->has_conditions)
    for (const auto& of_write : structure.copied->copies)
      for (const CopiedBytes::Copy& copy : of_write) values.include(copy.when);
  values.prepare();
  return values;
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
      values_(values_of(structure, asked, evaluated)),
      reads_(structure),
      decisive_(structure, reads_, values_),
      ends_of_threads_(structure),
      states_(events_.size(), State::open),
      open_(~BitSet(events_.size())) {
  if (ends_ == Ends::completed) check_contents(structure_);
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
    if (original(id).barrier.count && !original(id).goes_on.is_constant())
      barriers_.counted_waits.push_back(id);
}

void check_contents(const EventStructure& structure) {
  for (const Event& event : structure.events)
    if (event.access.is_indeterminate ||
        (event.kind == EventKind::initial_write && !event.value.is_constant()))
      throw Unsupported("memory of unknown content in the explorer", {});
}

PartialExecution::Consequence PartialExecution::consequence(std::size_t i, EventId write,
                                                            bool may_be_cut_off) {
  Consequence result;
  const Part& part = reads_.parts[i];
  const Event& read = original(part.read);
  result.is_update = read.rmw >= 0 && states_[index(read.rmw)] == State::present;
  const Bits* written = values_.find(original(write).value);
  if (!written || written->width() != read.value.width() || !is_decisive(i)) return result;
  bool spins = false;
  const std::size_t before = values_.mark();
  values_.suppose(read.value.term()->variable, *written, decisive_.dependents(i));
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
  result.is_certain = is_certain_to_write && !may_still_end && decisive_.decides_all(i, values_);
  return result;
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
    for_each_member(reads_.sourced.words(), reads_.sourced.word_count(),
                    [&](std::size_t id) { settle_read_value(static_cast<EventId>(id)); });
    settle_reductions();
    changed = settled_ != values_.mark();
  }
  if (knows_more && !end_threads()) return false;
  if (ends_ == Ends::any) return true;
  return ends_of_threads_.is_some_held_up() ? may_be_cut_off()
                                            : !ignores_cut_off || !ends_of_threads_.is_some_cut_off();
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
  history_.steps.push_back({Undo::What::state, index(id)});
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
  reads_.add(id, event);
}

/// Sets the value of a read whose atoms all have sources with known values.
void PartialExecution::settle_read_value(EventId read) {
  Bits value;
  for (const std::size_t i : reads_.of(read)) {
    const Part& part = reads_.parts[i];
    if (!part.is_active) continue;
    if (part.source < 0) return;
    const Bits* written = values_.find(original(part.source).value);
    if (!written) return;
    const auto offset =
        static_cast<unsigned>(reads_.atoms[part.atom].first - events_[index(part.source)].location.to_u64());
    const Bits bytes = written->extract(8 * offset, 8 * reads_.atoms[part.atom].count);
    value = value.width() == 0 ? bytes : concat(bytes, value);
  }
  reads_.sourced.erase(index(read));
  history_.steps.push_back({Undo::What::read_value, index(read)});
  values_.assign(original(read).value.term()->variable, value);
}

/// Returns false if a thread ends in a way that is of no interest.
bool PartialExecution::end_threads() {
  for (std::size_t thread = 0; thread < structure_.endings.size(); ++thread) {
    if (ends_of_threads_[thread]) continue;
    const Ending* ending = ends_of_threads_.find(thread, values_);
    if (ending == nullptr) continue;
    if (ends_launch(ending->kind) && ends_ == Ends::completed) return false;
    ends_of_threads_.set(thread, ending->kind);
    history_.steps.push_back({Undo::What::ended, thread});
  }
  return true;
}

// --- Steps ------------------------------------------------------------------------------------------------

void PartialExecution::choose_source(std::size_t i, EventId write) {
  reads_.set_source(i, write);
  const Part& part = reads_.parts[i];
  model.inputs.rf.insert(index(write), index(part.read));
  model.inputs.sources.push_back({index(part.read), index(write), &reads_.writers[part.atom]});
  model.note_source(index(part.read), index(write));
  history_.steps.push_back({Undo::What::source, i});
}

void PartialExecution::exclude(std::size_t i, const BitSet& writes) {
  save(Undo::What::excluded, i, reads_.parts[i].excluded);
  insert_bits(reads_.parts[i].excluded.words(), writes.words(), writes.word_count());
}

void PartialExecution::stop_excluding(std::size_t i, const BitSet& writes) {
  save(Undo::What::excluded, i, reads_.parts[i].excluded);
  erase_bits(reads_.parts[i].excluded.words(), writes.words(), writes.word_count());
}

void PartialExecution::examine(std::size_t i, const BitSet& writes) {
  save(Undo::What::examined, i, reads_.parts[i].examined);
  insert_bits(reads_.parts[i].examined.words(), writes.words(), writes.word_count());
}

/// Saves a row of a part before it changes.
void PartialExecution::save(Undo::What what, std::size_t i, const BitSet& row) {
  history_.rows.insert(history_.rows.end(), row.words(), row.words() + row.word_count());
  history_.steps.push_back({what, i});
}

std::size_t PartialExecution::mark() {
  history_.marks.push_back({history_.steps.size(), values_.mark(), settled_});
  const std::size_t depth = model.mark();
  check(depth + 1 == history_.marks.size(), "the model is marked on its own");
  return depth;
}

void PartialExecution::undo_to(std::size_t depth) {
  const Mark mark = history_.marks[depth];
  history_.marks.resize(depth);
  for (; history_.steps.size() > mark.steps; history_.steps.pop_back()) undo(history_.steps.back());
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
      reads_.remove(static_cast<EventId>(step.index), events_[step.index]);
      events_[step.index].address = structure_.events[step.index].address;
      events_[step.index].location = structure_.events[step.index].location;
      events_[step.index].barrier = structure_.events[step.index].barrier;
      return;
    }
    case Undo::What::source: {
      const EventId read = reads_.parts[step.index].read, write = reads_.parts[step.index].source;
      model.inputs.sources.pop_back();
      if (!reads_.remove_source(step.index)) model.inputs.rf.erase(index(write), index(read));
      return;
    }
    case Undo::What::excluded:
    case Undo::What::examined: {
      Part& part = reads_.parts[step.index];
      BitSet& row = step.what == Undo::What::excluded ? part.excluded : part.examined;
      const std::size_t place = history_.rows.size() - row.word_count();
      std::copy_n(history_.rows.data() + place, row.word_count(), row.words());
      history_.rows.resize(place);
      return;
    }
    case Undo::What::joined:
      return leave_phase(step.index);
    case Undo::What::ended:
      ends_of_threads_.reset(step.index);
      return;
    case Undo::What::read_value:
      reads_.sourced.insert(step.index);
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
  return ends_of_threads_.all_known() && std::ranges::all_of(asked_, is_known) &&
         std::ranges::all_of(structure_.final_registers,
                             [&](const auto& registers) { return std::ranges::all_of(registers, is_known); });
}

Execution PartialExecution::execution() const {
  Execution result;
  result.program = structure_.program;
  std::vector<EventId> numbers;
  EventId next = 0;
  for (const State state : states_) numbers.push_back(state == State::present ? next++ : -1);
  result.events.reserve(static_cast<std::size_t>(next));
  std::vector<int> phase_of(events_.size(), -1);
  for (std::size_t phase = 0; phase < barriers_.phases.size(); ++phase)
    for (const EventId member : barriers_.phases[phase].members)
      phase_of[index(member)] = static_cast<int>(phase);
  for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
    if (numbers[index(id)] < 0) continue;
    Event& event = result.events.emplace_back(events_[index(id)]);
    event.condition = Bits::boolean(true);
    if (event.value.width() != 0) event.value = *values_.find(original(id).value);
    for (Completion& completion : event.completes) completion.condition = *values_.find(completion.condition);
    if (event.rmw >= 0)
      event.rmw = numbers[index(event.rmw)] < 0 ? Event::not_written : numbers[index(event.rmw)];
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies}) {
      std::erase_if(*reads, [&](EventId read) { return numbers[index(read)] < 0; });
      for (EventId& read : *reads) read = numbers[index(read)];
    }
    result.barrier_phase.push_back(phase_of[index(id)]);
  }
  for (const Part& part : reads_.parts)
    if (part.is_active)
      result.reads_from.push_back({numbers[index(part.read)], numbers[index(part.source)],
                                   reads_.atoms[part.atom].first, reads_.atoms[part.atom].count});
  for (std::size_t i = 0; i < model.inputs.choices.size(); ++i) {
    Pairs& pairs = result.choices[model.inputs.choices[i].name];
    for (const auto& [a, b] : model.chosen(i).pairs()) pairs.emplace_back(numbers[a], numbers[b]);
  }
  result.endings = ends_of_threads_.kinds();
  result.undefined_uses = ends_of_threads_.undefined_uses(values_);
  for (const auto& registers : structure_.final_registers) {
    auto& values = result.final_registers.emplace_back();
    for (const Bits& value : registers) values.push_back(*values_.find(value));
  }
  return result;
}

}  // namespace ptxmc
