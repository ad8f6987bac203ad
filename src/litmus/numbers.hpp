#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "semantics/language/type.hpp"
#include "semantics/values/bits.hpp"
#include "src/litmus/litmus_syntax.hpp"

namespace ptxmc {

/// The type `u32` or `f32`; kind none when there is no such type.
Type type_named(const std::string&);

/// The format of .f16, .bf16, .f32 or .f64; none of other types.
std::optional<FloatFormat> float_format_of(const Type&);

/// `f32`, of one of these.
const char* name_of(FloatFormat);

/// `1.5`, `-1e-3`, `0f3fc00000`, `0d3ff8000000000000` (PTX ISA 8.7 § 4.5.2), and `1.5f` as in C. None when it
/// is out of the range of .f64 (with an `f`: of .f32).
std::optional<litmus_syntax::Number> float_number_of(std::string_view text);

/// What a number means where a floating-point number of the format is expected: the nearest one; of a
/// hexadecimal number the one with these bits. None: more bits than the format has.
std::optional<Bits> float_value(FloatFormat, const litmus_syntax::Number&);

/// What is wrong where float_value has none.
std::string more_bits_than(FloatFormat);

}  // namespace ptxmc
