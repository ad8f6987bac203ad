#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The value of a FinalTerm in a final state: 64 bits, possibly with unknowns.
using FinalValue = std::function<Bits(const FinalTerm&)>;

/// Whether a proposition holds in a final state, width 1.
Bits holds(const Proposition&, const FinalValue&);

/// A proposition about the numbers that states show, prepared for many evaluations.
class StateProposition {
 public:
  StateProposition(const Proposition&, const std::vector<FinalTerm>& shown);

  bool holds(const std::vector<std::int64_t>& numbers) const;

 private:
  struct Operand {
    std::size_t shown = 0;  // index of the shown number, or none
    std::int64_t constant = 0;
  };

  Proposition::Kind kind_;
  Proposition::Comparison comparison_;
  std::optional<FloatFormat> format_;
  Operand left_, right_;
  std::vector<StateProposition> operands_;
};

/// The number that a state shows for a term, 64 bits: signed if its variable is signed; the bits of a
/// floating-point number.
Bits final_number(const Program&, const FinalTerm&, const Bits& value);
/// The same of a constant.
std::int64_t shown_number(const Program&, const FinalTerm&, const Bits& value);

/// The terms that the states of a question show: those of its condition and filter, then its locations, each
/// once, without constants.
std::vector<FinalTerm> shown_terms(const Question&);

}  // namespace ptxmc
