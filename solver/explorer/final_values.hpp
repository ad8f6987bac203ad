#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/encoding/final_state.hpp"
#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// The numbers that shown terms may have at the end of executions that share events, sources and barriers.
class FinalValues {
 public:
  using Numbers = std::vector<std::int64_t>;  ///< by shown term

  /// The arguments must outlive it.
  FinalValues(const EventStructure&, const std::vector<FinalTerm>& shown);

  /// Begins executions that share the events, sources and barriers of this one.
  void begin(const PartialExecution&);

  /// Calls `visit` with each combination of final values, until it returns false. Without a coherence order,
  /// these are the values under all coherence orders.
  template <class Visit>
  bool for_each(const PartialExecution& execution, const BitMatrix* coherence, const Visit& visit) {
    for (std::size_t i = 0; i < shown_.size(); ++i) find_values(execution, i, coherence);
    std::fill(which_.begin(), which_.end(), 0);
    for (;;) {
      for (std::size_t i = 0; i < which_.size(); ++i) numbers_[i] = found_[i][which_[i]];
      if (!visit(numbers_)) return false;
      std::size_t i = 0;
      while (i < which_.size() && ++which_[i] == found_[i].size()) which_[i++] = 0;
      if (i == which_.size()) return true;
    }
  }

  /// The values, if only registers are shown and all are known; null otherwise.
  const Numbers* known_registers(const PartialExecution&);

 private:
  /// The possible values of a shown term: for memory one for each write that may be last.
  struct Possible {
    const Bits* register_value = nullptr;
    bool is_simple = true;  // a register, or one atom
    std::size_t atom = 0;
    std::vector<std::size_t> writes;
    Numbers values;
  };

  const Program& program() const { return *structure_.program; }
  const Bits& register_of(const FinalTerm&) const;
  std::uint64_t first_byte(const FinalTerm&) const;
  void find_atoms(const PartialExecution&);
  void find_possible(const PartialExecution&, std::size_t shown);
  void find_values(const PartialExecution&, std::size_t shown, const BitMatrix* coherence);

  const EventStructure& structure_;
  const std::vector<FinalTerm>& shown_;
  std::vector<Possible> possible_;                    // by shown term
  std::vector<std::span<const std::int64_t>> found_;  // by shown term: its values
  std::vector<Numbers> found_below_;                  // if these are not all possible values
  std::vector<std::size_t> which_;
  Numbers numbers_;
};

}  // namespace ptxmc
