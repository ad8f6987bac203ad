#include <algorithm>
#include <bit>

#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Updates of a compiled model while the execution changes. Each changed word is saved, so that changes can be
// undone.

namespace ptxmc {

// --- Changes ----------------------------------------------------------------------------------------------

void CompiledModel::note(Change change) {
  outdated_.add_entirely(users_.of_change[change]);
  outdated_.set_rest_outdated();
}

void CompiledModel::note_source(std::size_t read, std::size_t write) {
  for (const StepUser& user : users_.of_source_by_write) outdated_.add(user, write);
  for (const StepUser& user : users_.of_source_by_read) outdated_.add(user, read);
  outdated_.set_rest_outdated();
}

/// Relations among the earlier events do not change.
void CompiledModel::note_event(std::size_t event) {
  for (const StepUser& user : users_.of_event) outdated_.add(user, event);
  outdated_.set_rest_outdated();
}

/// The value of the choice is updated at once.
void CompiledModel::orient(std::size_t choice, std::size_t from, std::size_t to) {
  const auto step = static_cast<std::uint32_t>(inputs.choices[choice].node);
  const std::size_t value = steps_[step].memory.place, open = value + size_ * stride_,
                    chosen = open + size_ * stride_;
  const auto row = [&](std::size_t block, std::size_t event, std::size_t other) {
    values_.save(block + event * stride_ + other / 64);
    return values_.data() + block + event * stride_;
  };
  insert_bit(row(value, from, to), to);
  insert_bit(row(chosen, from, to), to);
  erase_bit(row(open, from, to), to);
  erase_bit(row(open, to, from), from);
  for (const StepUser& user : users_.of_step[step]) outdated_.add(user, from);
  outdated_.set_rest_outdated();
}

BitMatrix CompiledModel::chosen(std::size_t choice) const {
  BitMatrix result(size_);
  std::copy_n(open_pairs(choice) + size_ * stride_, size_ * stride_, result.words());
  return result;
}

bool CompiledModel::may_have_pairs(std::size_t choice) const {
  return !steps_[static_cast<std::size_t>(inputs.choices[choice].node)].is_void;
}

bool CompiledModel::is_open_pair(std::size_t choice, std::size_t a, std::size_t b) const {
  return contains_bit(open_pairs(choice) + a * stride_, b);
}

bool CompiledModel::has_open_pairs() const {
  std::size_t a = 0, b = 0;
  for (std::size_t i = 0; i < inputs.choices.size(); ++i)
    if (find_open_pair(i, a, b)) return true;
  return false;
}

bool CompiledModel::find_open_pair(std::size_t choice, std::size_t& a, std::size_t& b) const {
  if (!may_have_pairs(choice)) return false;
  const Word* open = open_pairs(choice);
  const Word* end = open + size_ * stride_;
  const Word* found = std::find_if(open, end, [](Word w) { return w != 0; });
  if (found == end) return false;
  const auto w = static_cast<std::size_t>(found - open);
  a = w / stride_;
  b = w % stride_ * 64 + static_cast<std::size_t>(std::countr_zero(*found));
  return true;
}

std::size_t CompiledModel::mark() {
  const std::size_t mark = values_.mark();
  outdated_.mark(mark);
  return mark;
}

void CompiledModel::undo_to(std::size_t mark) {
  values_.undo_to(mark);
  outdated_.undo_to(mark);
}

}  // namespace ptxmc
