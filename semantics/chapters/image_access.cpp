#include "semantics/chapters/image_access.hpp"

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

bool is_of_geometry(const OpaqueObject& object, const Form& form) {
  if (object.dimensions != image_dimensions(form)) return false;
  if (is_cube_form(form)) return object.is_cube && is_array_form(form) == (object.layers.value_or(0) > 6);
  return object.layers.has_value() == is_array_form(form);
}

}  // namespace

std::vector<Bits> source_registers(const Form& form, const Operands& x, std::string_view operand) {
  std::size_t first = 0;
  for (const FormOperand& each : form.operands) {
    if (each.is_destination) continue;
    const bool is_wanted = each.name() == operand;
    if (is_wanted && each.place != FormOperand::Place::elements) return {x[operand]};
    if (each.place != FormOperand::Place::elements) continue;
    if (is_wanted) return {x.elements.begin() + first, x.elements.begin() + first + each.elements};
    first += each.elements;
  }
  return {};
}

unsigned image_dimensions(const Form& form) {
  if (form.has(".1d") || form.has(".a1d")) return 1;
  return form.has(".3d") ? 3 : 2;
}

bool is_array_form(const Form& form) { return form.has(".a1d") || form.has(".a2d") || form.has(".acube"); }

bool is_cube_form(const Form& form) { return form.has(".cube") || form.has(".acube"); }

OpaqueObject object_with(const Bits& handle, std::optional<OpaqueObject::Kind> kind, Effects& effects) {
  Access access;
  access.space = StateSpace::constant;
  const Bits place = handle - Bits(64, window_of(StateSpace::constant));
  DescriptorWords words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Bits word = effects.read(access, place + Bits(64, 8 * i), 64);
    if (!word.is_constant()) throw UnhandledEffect("a texture, sampler or surface that is not known");
    words[i] = word.to_u64();
  }
  const std::optional<OpaqueObject> object = described_object(words);
  if (!object || (kind && object->kind != *kind))
    throw UnhandledEffect("an operand that is no texture, sampler or surface as the instruction needs it");
  return *object;
}

OpaqueObject image_of(const Form& form, const Operands& x, OpaqueObject::Kind kind, Effects& effects) {
  OpaqueObject object = object_with(x.a, kind, effects);
  if (!object.address) throw UnhandledEffect("a texture or surface that the launch does not give");
  if (!is_of_geometry(object, form))
    throw UnhandledEffect("a texture or surface of another geometry than that of the instruction");
  return object;
}

Access image_access(Proxy proxy) {
  Access access;
  access.proxy = proxy;
  access.space = StateSpace::global;
  return access;
}

Bits address_of_element(const OpaqueObject& object, std::span<const Bits> coordinates, const Bits& layer) {
  const auto number = [](std::uint64_t value) { return Bits(64, value); };
  Bits index = layer;
  for (unsigned i = most_image_dimensions; i-- > 0;) {
    index = index * number(object.size[i]);
    if (i < coordinates.size()) index = index + coordinates[i];
  }
  return number(*object.address) + index * number(object.element_bytes());
}

Bits clamped(const Bits& value, std::uint64_t count) {
  return minimum(maximum(value, Bits(64, 0), true), Bits(64, count - 1), true);
}

Bits is_inside(const Bits& value, std::uint64_t count) { return less_unsigned(value, Bits(64, count)); }

}  // namespace ptxmc
