#pragma once

#include <span>
#include <vector>

#include "semantics/language/form.hpp"
#include "semantics/language/opaque_object.hpp"
#include "semantics/language/operands.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// Of what texture and surface instructions compute and convert.
constexpr Rounding image_rounding = Rounding::nearest_even;

/// A coordinate, a size or an offset in bytes: 64 bits.
inline Bits image_number(std::uint64_t value) { return Bits(64, value); }

/// The registers of a source operand: the elements of a vector, or one scalar; none if it was left out.
std::vector<Bits> source_registers(const Form&, const Operands&, std::string_view operand);

/// The dimensions that a form names, `.2d`, without an index of a layer.
unsigned image_dimensions(const Form&);
bool is_array_form(const Form&);  ///< `.a1d`, `.a2d`, `.acube`
bool is_cube_form(const Form&);   ///< `.cube`, `.acube`

/// The object with this handle, whose kind must be `kind`; without a kind any object. Throws UnhandledEffect
/// for an object of another kind.
OpaqueObject object_with(const Bits& handle, std::optional<OpaqueObject::Kind> kind, Effects&);
/// The texture or surface that the operand `a` of a form names. Throws UnhandledEffect also if it has another
/// geometry than the form.
OpaqueObject image_of(const Form&, const Operands&, OpaqueObject::Kind, Effects&);

/// A weak access to an element of a texture or surface, through its proxy.
Access image_access(Proxy);

/// The address of the element with these coordinates (64 bits each, inside) in a layer.
Bits address_of_element(const OpaqueObject&, std::span<const Bits> coordinates, const Bits& layer);

/// value, moved into 0 … count − 1. 64 bits, signed.
Bits clamped(const Bits& value, std::uint64_t count);
/// Whether a signed value of 64 bits is in 0 … count − 1.
Bits is_inside(const Bits& value, std::uint64_t count);

}  // namespace ptxmc
