#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/algebra/bit_rows.hpp"

namespace ptxmc {

/// A step of a compiled model that must be computed again when another step has changed.
struct StepUser {
  static constexpr std::uint32_t whole = 2;

  std::uint32_t step = 0;
  std::uint32_t operand = 0;  ///< the changed operand: one of its first two, or all of the step
};

/// The steps of a compiled model to compute again after changes of the execution, and the rows to compute.
/// An operand's changed rows are a set of events, as a row of bits.
class OutdatedSteps {
 public:
  using Word = std::uint64_t;
  using Set = std::vector<Word>;  ///< of steps, as a row of bits

  OutdatedSteps() = default;
  OutdatedSteps(std::size_t steps, std::size_t row_words);

  Set no_steps() const { return Set(steps_.size(), 0); }

  /// A row of an operand of the step has changed.
  void add(const StepUser& user, std::size_t row) {
    insert_bit(steps_.data(), user.step);
    if (user.operand == StepUser::whole)
      insert_bit(entire_.data(), user.step);
    else
      insert_bit(rows(user.step) + user.operand * row_words_, row);
  }
  /// Adds steps with all of their rows.
  void add_entirely(const Set& steps);
  /// These rows of an operand of the step have changed. `have_lost`: some of them have lost pairs.
  template <std::size_t RowWords>
  void add_rows(const StepUser& user, const Word* changed, bool have_lost) {
    insert_bit(steps_.data(), user.step);
    if (have_lost) insert_bit(shrunk_.data(), user.step);
    if (user.operand == StepUser::whole) return insert_bit(entire_.data(), user.step);
    const std::size_t words = RowWords != 0 ? RowWords : row_words_;
    insert_bits(rows(user.step) + user.operand * words, changed, words);
  }

  /// Takes the steps in order. `compute(step)` may add later ones. Returns false as soon as it does.
  template <class Compute>
  bool take_all(const Compute& compute) {
    for (std::size_t w = 0; w < steps_.size(); ++w)
      while (steps_[w] != 0) {
        const std::size_t step = w * 64 + static_cast<std::size_t>(std::countr_zero(steps_[w]));
        steps_[w] &= steps_[w] - 1;
        if (!compute(static_cast<std::uint32_t>(step))) return false;
      }
    return true;
  }
  bool is_entire(std::uint32_t step) const { return contains_bit(entire_.data(), step); }
  template <std::size_t RowWords>
  void set_rows_known(std::uint32_t step) {
    erase_bit(entire_.data(), step);
    std::fill_n(rows(step), 2 * (RowWords != 0 ? RowWords : row_words_), 0);
  }
  /// Whether an operand of the step has lost pairs since the step was computed.
  bool has_shrunk(std::uint32_t step) const { return contains_bit(shrunk_.data(), step); }
  void set_computed(std::uint32_t step) { erase_bit(shrunk_.data(), step); }
  /// The changed rows of the first operand, followed by those of the second.
  Word* rows(std::uint32_t step) { return rows_.data() + 2 * step * row_words_; }

  /// The steps on which no axiom that prunes depends are computed only for complete executions.
  bool is_rest_known() const { return is_rest_known_; }
  void set_rest_known() { is_rest_known_ = true; }
  void set_rest_outdated() { is_rest_known_ = false; }

  /// Whether some values were computed without a test of the axioms.
  bool has_untested() const { return has_untested_; }
  /// The outdated steps are about to be computed without a test of the axioms.
  void leave_untested();
  void set_tested() { has_untested_ = false; }

  /// Saves the state at a depth, one more than that of the last mark; `undo_to` restores it.
  void mark(std::size_t depth);
  void undo_to(std::size_t depth);

 private:
  struct Mark {
    Set steps, shrunk;
    bool has_untested = false;
  };

  std::size_t row_words_ = 0;
  Set steps_;
  Set entire_;  // of these, the steps to compute in all rows
  Set shrunk_;  // of these, the steps with an operand that has lost pairs
  std::vector<Word> rows_;
  bool is_rest_known_ = false;
  bool has_untested_ = false;
  std::vector<Mark> marks_;  // by depth; memory is reused
};

}  // namespace ptxmc
