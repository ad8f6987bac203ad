#pragma once

#include <functional>
#include <optional>
#include <string>

#include "semantics/language/instruction.hpp"
#include "semantics/language/type.hpp"
#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// A number of a condition; its bits may be a term.
struct Number {
  bool is_float = false;
  Bits bits;          ///< an integer: 128 bits, signed; a floating-point number: f64
  Bits pattern = {};  ///< the bits of a parameter or an element, as in memory; width 0: a computed number

  static Number integer(s128 value) { return {false, Bits(128, static_cast<u128>(value))}; }
};

/// Converts a parameter or an element of a buffer with these bits to a number.
Number number_of(const ElementType&, const Bits& value);

/// The value of a name: a scalar parameter, or an element of a buffer; empty if there is no such name.
using NumberOf =
    std::function<std::optional<Number>(const std::string& name, std::optional<std::uint64_t> index)>;

/// Whether a condition over numbers holds (width 1): `counter[0] == 2 && (n > 0 || x[1] != 1.5)`, with the
/// operators, precedence and truth of C. `bits(x[1])` is the bit pattern of an element. Throws InputError
/// with the position for text that is not a condition.
Bits condition_holds(const std::string& condition, const NumberOf&, const LaunchPlace&);

/// The value of an expression with these operators, 128 bits, signed: `block.x * grid.x`. Throws InputError
/// also for a floating-point number.
Bits integer_value(const std::string& expression, const NumberOf&, const LaunchPlace&);

}  // namespace ptxmc::kernel
