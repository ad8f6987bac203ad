#include "solver/compiled_model/outdated_steps.hpp"

namespace ptxmc {

OutdatedSteps::OutdatedSteps(std::size_t steps, std::size_t row_words)
    : row_words_(row_words),
      steps_((steps + 63) / 64, 0),
      entire_(steps_),
      shrunk_(steps_),
      rows_(2 * steps * row_words, 0) {}

void OutdatedSteps::add_entirely(const Set& steps) {
  insert_bits(steps_.data(), steps.data(), steps.size());
  insert_bits(entire_.data(), steps.data(), steps.size());
}

void OutdatedSteps::leave_untested() {
  has_untested_ = has_untested_ || std::ranges::any_of(steps_, [](Word w) { return w != 0; });
}

void OutdatedSteps::mark(std::size_t depth) {
  if (depth == marks_.size()) marks_.emplace_back();
  marks_[depth].steps = steps_;
  marks_[depth].shrunk = shrunk_;
  marks_[depth].has_untested = has_untested_;
}

void OutdatedSteps::undo_to(std::size_t depth) {
  const Mark& mark = marks_[depth];
  for_each_member(steps_.data(), steps_.size(), [&](std::size_t step) {
    std::fill_n(rows(static_cast<std::uint32_t>(step)), 2 * row_words_, 0);
  });
  steps_ = mark.steps;
  entire_ = mark.steps;  // the changed rows are not recorded
  shrunk_ = mark.shrunk;
  has_untested_ = mark.has_untested;
  is_rest_known_ = false;
}

}  // namespace ptxmc
