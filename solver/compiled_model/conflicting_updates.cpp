#include "solver/compiled_model/conflicting_updates.hpp"

#include <algorithm>

namespace ptxmc {

RivalUpdates::RivalUpdates(const EventStructure& structure, const cat::Model& model)
    : structure_(structure), model_(model, *structure.program, structure.events, {}) {
  for (const Event& event : structure.events)
    number_.push_back(event.is_read() && event.rmw >= 0 ? updates_++ : 0);
  answers_.resize(updates_ * updates_ * structure.events.size());
}

bool RivalUpdates::exclude_each_other(EventId a, EventId b, EventId write) {
  const auto first = static_cast<std::size_t>(std::min(a, b)),
             second = static_cast<std::size_t>(std::max(a, b));
  Answer& answer = answers_[(number_[first] * updates_ + number_[second]) * structure_.events.size() +
                            static_cast<std::size_t>(write)];
  if (answer == Answer::not_asked)
    answer = ask(first, second, static_cast<std::size_t>(write)) ? Answer::yes : Answer::no;
  return answer == Answer::yes;
}

/// Whether the model refuses the execution of these events alone. If it does, it refuses every larger
/// execution.
bool RivalUpdates::ask(std::size_t a, std::size_t b, std::size_t write) {
  const auto written = [&](std::size_t read) {
    return static_cast<std::size_t>(structure_.events[read].rmw);
  };
  BitSet writers(structure_.events.size());
  for (const std::size_t id : {write, written(a), written(b)}) writers.insert(id);
  for (const std::size_t id : {write, a, b, written(a), written(b)}) {
    const Event& event = structure_.events[id];
    if (!event.location.is_constant() || !event.address.is_constant()) return false;
  }
  const std::size_t before = model_.mark();
  model_.inputs.present = writers;
  for (const std::size_t read : {a, b}) {
    model_.inputs.present.insert(read);
    model_.inputs.rf.insert(write, read);
    model_.inputs.sources.push_back({read, write, &writers});
  }
  model_.note(CompiledModel::events);
  model_.note(CompiledModel::reads_from);
  bool possible = model_.may_become_consistent();
  for (std::size_t i = 0; possible && i < model_.inputs.choices.size(); ++i)
    if (model_.inputs.choices[i].is_fixed && model_.is_open_pair(i, written(a), written(b)))
      possible = can_orient(i, written(a), written(b)) || can_orient(i, written(b), written(a));
  model_.inputs.present = BitSet(structure_.events.size());
  model_.inputs.sources.clear();
  for (const std::size_t read : {a, b}) model_.inputs.rf.erase(write, read);
  model_.undo_to(before);
  return !possible;
}

bool RivalUpdates::can_orient(std::size_t choice, std::size_t from, std::size_t to) {
  const std::size_t before = model_.mark();
  model_.orient(choice, from, to);
  const bool can = model_.may_become_consistent();
  model_.undo_to(before);
  return can;
}

}  // namespace ptxmc
