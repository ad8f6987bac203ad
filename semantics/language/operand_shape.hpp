#pragma once

#include <cstdint>
#include <string>

#include "semantics/language/notation.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

/// The syntactic shape of an operand, before its instruction is known.
struct OperandShape {
  enum class Kind : std::uint8_t { register_, immediate, address, label, vector, list, sink };
  Kind kind = Kind::register_;
  OperandPattern::Link link = OperandPattern::Link::comma;  ///< `p|q` and `[a, c]` are two operands each
  bool negated = false;                                     ///< `!p`
  unsigned elements = 0;                                    ///< of a vector or list
  bool has_minus = false;                                   ///< `-a`
  std::string selector = {};                                ///< "b0" of `a.b0`, in video instructions

  friend bool operator==(const OperandShape&, const OperandShape&) = default;
};

/// The shape of a resolved operand; `link` is comma.
OperandShape shape_of(const Operand&);

}  // namespace ptxmc
