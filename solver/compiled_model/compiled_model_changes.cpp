#include <algorithm>
#include <bit>

#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Updates of a compiled model while the execution changes. Each changed word is saved, so that changes can be
// undone.

namespace ptxmc {

namespace {

void add(std::vector<std::uint64_t>& set, const std::uint64_t* more) {
  for (std::size_t w = 0; w < set.size(); ++w) set[w] |= more[w];
}

}  // namespace

// --- Changes ----------------------------------------------------------------------------------------------

void CompiledModel::note(Change change) {
  add(dirty_, affected_[change].data());
  add(entire_, affected_[change].data());
  is_rest_known_ = false;
}

void CompiledModel::note_source(std::size_t read, std::size_t write) {
  is_rest_known_ = false;
  for (const std::uint32_t step : rf_steps_) {
    insert_bit(dirty_.data(), step);
    insert_bit(pending_.data() + 2 * step * stride_, write);
  }
  for (const std::uint32_t step : from_reads_steps_) {
    insert_bit(dirty_.data(), step);
    if (steps_[step].op != cat::Operator::from_reads) insert_bit(entire_.data(), step);
    insert_bit(pending_.data() + (2 * step + 1) * stride_, read);
  }
}

/// Relations among the earlier events do not change.
void CompiledModel::note_event(std::size_t event) {
  is_rest_known_ = false;
  for (const User& user : event_users_) {
    insert_bit(dirty_.data(), user.step);
    if (user.operand == whole)
      insert_bit(entire_.data(), user.step);
    else
      insert_bit(pending_.data() + 2 * user.step * stride_, event);
  }
}

/// The value of the choice is updated at once.
void CompiledModel::orient(std::size_t choice, std::size_t from, std::size_t to) {
  const auto step = static_cast<std::uint32_t>(inputs.choices[choice].node);
  const std::size_t value = steps_[step].place, open = value + size_ * stride_,
                    chosen = open + size_ * stride_;
  const auto row = [&](std::size_t block, std::size_t event, std::size_t other) {
    save(block + event * stride_ + other / 64);
    return words_.data() + block + event * stride_;
  };
  insert_bit(row(value, from, to), to);
  insert_bit(row(chosen, from, to), to);
  erase_bit(row(open, from, to), to);
  erase_bit(row(open, to, from), from);
  for (const User& user : users_[step]) {
    insert_bit(dirty_.data(), user.step);
    if (user.operand == whole)
      insert_bit(entire_.data(), user.step);
    else
      insert_bit(pending_.data() + (2 * user.step + user.operand) * stride_, from);
  }
  is_rest_known_ = false;
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
  if (depth_ == marks_.size()) marks_.emplace_back();
  Mark& mark = marks_[depth_];
  mark.done = done_count_;
  mark.dirty = dirty_;
  mark.rebuild = rebuild_;
  mark.has_unchecked = has_unchecked_;
  return depth_++;
}

void CompiledModel::undo_to(std::size_t number) {
  const Mark& mark = marks_[number];
  while (done_count_ > mark.done) {
    const Done& done = done_[--done_count_];
    words_[done.place] = done.before;
  }
  for_each_member(dirty_.data(), step_words_, [&](std::size_t step) {
    std::fill_n(pending_.begin() + static_cast<std::ptrdiff_t>(2 * step * stride_), 2 * stride_, 0);
  });
  dirty_ = mark.dirty;
  entire_ = mark.dirty;  // the changed rows are not recorded
  rebuild_ = mark.rebuild;
  has_unchecked_ = mark.has_unchecked;
  is_rest_known_ = false;
  depth_ = number;
}

}  // namespace ptxmc
