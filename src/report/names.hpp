#pragma once

#include <optional>
#include <string>

#include "model/execution.hpp"
#include "model/proposition.hpp"

namespace ptxmc {

/// How a register or a location is written.
enum class Naming {
  herd,    ///< `1:r0`, `[x]`, `a[2]`: as herd prints final states
  litmus,  ///< `P1:r0`, `x`, `a[2]`: as test files have it
};

/// A register, a location or a number of a final state.
std::string name_of(const FinalTerm&, const Program&, Naming);

/// Whether the term is a value that its declaration says to be unsigned.
bool is_unsigned(const FinalTerm&, const Program&);

/// The number in decimal; `is_unsigned` reads it modulo 2^64.
std::string number_text(std::int64_t value, bool is_unsigned);

/// What lies at a virtual address: `x`, `a[2]`, `x+4` (bytes) inside an element, else the number in
/// hexadecimal.
std::string location_name(const Program&, std::uint64_t address);

/// The instruction of an event as its source has it, with single blanks.
std::string written(const Event&);

/// The value of an element of a variable, or of a part of one: in decimal, with the sign of the variable, or
/// as a floating-point number where the elements are such.
std::string element_text(const Variable&, const Bits& value);

/// What an access read or wrote: as a floating-point number where the instruction says `.f32` or `.f64`, else
/// as `element_text` has it, or in hexadecimal where it is wider than 64 bits; `?` when unknown.
std::string value_text(const Event&, const Program&);

}  // namespace ptxmc
