#pragma once

#include <optional>
#include <string>

#include "model/program/execution.hpp"
#include "model/program/proposition.hpp"

namespace ptxmc {

/// The spelling of a register or a location.
enum class Naming {
  herd,    ///< `1:r0`, `[x]`, `a[2]`: as in herd's final states
  litmus,  ///< `P1:r0`, `x`, `a[2]`: as in test files
  launch,  ///< `x[0]`, `a[2]`: as in launch files
};

/// A register, a location or a number of a final state.
std::string name_of(const FinalTerm&, const Program&, Naming);

/// Whether the declaration of the term's variable has an unsigned type.
bool is_unsigned(const FinalTerm&, const Program&);

/// The value of a term in a final state: an integer in decimal, with the sign of its variable, or the
/// shortest decimal number that rounds to the floating-point value. Read again, it gives the same value.
std::string final_value_text(const FinalTerm&, std::int64_t value, const Program&);

/// The bits of a floating-point number as a constant: `0f3fc00000`, `0d3ff8000000000000`, `0x3e00`.
std::string float_bits_text(FloatFormat, std::uint64_t bits);

/// The name of the location at a virtual address: `x`, `a[2]`, `x+4` (bytes) inside an element, else the
/// number in hexadecimal.
std::string location_name(const Program&, std::uint64_t address);

/// The instruction of an event as written in its source, with single blanks.
std::string written(const Event&);

/// The value of an element of a variable, or of a part of one: in decimal, signed or unsigned like the
/// variable, or as a floating-point number if the elements are.
std::string element_text(const Variable&, const Bits& value);

/// The value that an access read or wrote: a floating-point number if the instruction has `.f32` or `.f64`,
/// hexadecimal if it is wider than 64 bits, otherwise as in `element_text`; `?` if unknown.
std::string value_text(const Event&, const Program&);

}  // namespace ptxmc
