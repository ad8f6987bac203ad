#pragma once

#include <cstdint>
#include <optional>

#include "semantics/language/modifier.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// The type that a modifier gives an operand: PTX ISA 8.7 § 5.2.
struct Type {
  enum class Kind : std::uint8_t {
    none,  ///< no type: labels, lists, and vectors of registers whose meaning depends on the form
    predicate,
    bits,  ///< .b32
    unsigned_integer,
    signed_integer,
    floating,  ///< .f32, .bf16, .tf32, .e4m3
    packed,    ///< .f16x2, .u16x2, .e4m3x2: several elements in one register
    opaque,    ///< .texref
  };
  Kind kind = Kind::none;
  std::uint16_t width = 0;                 ///< bits of one value (packed: of all elements together)
  std::uint16_t elements = 1;              ///< packed: the number of elements
  std::optional<FloatFormat> format = {};  ///< of a floating-point value or element

  bool is_signed() const { return kind == Kind::signed_integer; }
  bool is_integer() const { return is_signed() || kind == Kind::unsigned_integer; }
  bool is_float() const { return kind == Kind::floating; }

  friend bool operator==(const Type&, const Type&) = default;
};

/// The type that a modifier names; kind `none` for modifiers that name no type.
Type type_of(Modifier);

/// The type with twice the width, as `mul.wide` yields.
Type widened(Type);

}  // namespace ptxmc
