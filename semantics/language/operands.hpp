#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/values/values.hpp"

namespace ptxmc {

struct Form;

/// An index into the registers of a thread.
using RegisterId = std::uint32_t;

/// An operand whose names are resolved.
struct Operand {
  struct Register {
    RegisterId id;
    bool negated = false;  ///< `!p`
  };
  struct Immediate {
    Bits value;
  };
  /// `[base + offset]`: the base is a register or, for a variable, its address.
  struct Address {
    std::optional<RegisterId> base;
    Bits offset;  ///< 64 bits; the whole address if there is no base register
  };
  struct Label {
    Target target;
  };
  struct Vector {
    std::vector<Operand> elements;
  };
  struct Sink {};  ///< `_`

  std::variant<Register, Immediate, Address, Label, Vector, Sink> is;
};

/// The values of the source operands, each with the width that the form gives it.
struct Operands {
  Bits a, b, c, d;  ///< the sources with these names; for an address `[a]` its 64 bits
  Values elements;  ///< the elements of a vector source: `st.v2`, `mov.b64 d, {lo, hi}`
  Values others;    ///< sources with other names, in the order of the syntax
  const Form* form = nullptr;
  std::span<const Operand> written;  ///< the operands of the instruction, for example labels

  /// Any scalar source by its name in the syntax: `x["membermask"]`; width 0 if it was left out.
  const Bits& operator[](std::string_view name) const;
  /// Carry flag CC.CF, width 1: PTX ISA 8.7 § 9.7.2.
  const Bits& carry() const { return (*this)["CC"]; }
};

}  // namespace ptxmc
