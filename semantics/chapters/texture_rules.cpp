#include "semantics/chapters/texture_rules.hpp"

#include <algorithm>

#include "semantics/chapters/texture_fetch.hpp"
#include "semantics/values/float_operations.hpp"

namespace ptxmc {

namespace {

/// The sampler of the operand `b`, or that of the texture. In independent mode the sampler can only turn
/// normalized coordinates off (§ 5.3.2, force_unnormalized_coords).
void choose_sampler(const Form& form, const Operands& x, TextureLookup& lookup, Effects& effects) {
  const std::vector<Bits> given = source_registers(form, x, "b");
  const Sampler& own = lookup.texture.sampler;
  lookup.sampler = own;
  lookup.is_normalized = own.is_normalized.value_or(false);
  if (given.empty() || given.front().width() == 0) return;
  const bool is_texture = given.front().is_constant() && x.a.is_constant() && identical(given.front(), x.a);
  if (is_texture) return;  // in unified mode a texture is its own sampler
  lookup.sampler = object_with(given.front(), OpaqueObject::Kind::sampler, effects).sampler;
  const std::optional<bool> asked = lookup.sampler.is_normalized;
  lookup.is_normalized = asked.value_or(true) && own.is_normalized.value_or(asked.value_or(false));
}

/// Whether a source operand is given as a vector. An offset is one, also of one dimension; a scalar in its
/// place is a depth.
bool is_vector(const Form& form, std::string_view operand) {
  return std::ranges::any_of(form.operands, [&](const FormOperand& each) {
    return !each.is_destination && each.name() == operand && each.elements != 0;
  });
}

/// The lookup of an instruction. The vector `c` has the index of the layer before the coordinates.
TextureLookup lookup_of(const Form& form, const Operands& x, Effects& effects) {
  TextureLookup lookup;
  lookup.texture = image_of(form, x, OpaqueObject::Kind::texture, effects);
  choose_sampler(form, x, lookup, effects);
  const OpaqueObject& texture = lookup.texture;
  std::vector<Bits> given = source_registers(form, x, "c");
  lookup.has_float_coordinates =
      form.type(".ctype").is_float() || form.line->opcode == "tld4" || is_cube_form(form);
  lookup.layer = Bits(64, 0);
  if (is_array_form(form)) {
    const std::uint64_t faces = is_cube_form(form) ? 6 : 1;
    lookup.layer = given.front().zero_extend(64);
    if (!is_inside(lookup.layer, *texture.layers / faces).is_true())
      throw UnhandledEffect("a layer that the texture may not have");
    lookup.layer = lookup.layer * Bits(64, faces);
    given.erase(given.begin());
  }
  const unsigned count = is_cube_form(form) ? 3 : texture.dimensions;
  lookup.coordinates.assign(given.begin(), given.begin() + count);
  if (!lookup.has_float_coordinates) lookup.is_normalized = false;
  if (is_cube_form(form)) lookup.layer = lookup.layer + choose_face(lookup);
  if (is_vector(form, "e")) lookup.offsets = source_registers(form, x, "e");
  std::vector<Bits> depth = source_registers(form, x, "f");
  if (depth.empty() && !is_vector(form, "e")) depth = source_registers(form, x, "e");
  if (!depth.empty()) lookup.depth = depth.front();
  return lookup;
}

/// The type of a result.
Type destination_type(const Form& form) { return form.has(".f16x2") ? type_of(".f16") : form.type(".dtype"); }

/// A number or integer as a result. No integer is converted to a number.
Bits as_destination(const Form& form, const OpaqueObject& texture, const Bits& value) {
  const Type wanted = destination_type(form);
  if (wanted.is_float() != gives_floats(texture))
    throw UnhandledEffect("a texture whose numbers are not of the type .dtype");
  return wanted.width == 16 ? float_convert(FloatFormat::f16, FloatFormat::f32, image_rounding, value)
                            : value;
}

}  // namespace

Results fetch_texture(const Form& form, const Operands& x, Effects& effects) {
  if (form.has(".2dms") || form.has(".a2dms")) throw UnhandledEffect("a texture of several samples");
  const TextureLookup lookup = lookup_of(form, x, effects);
  std::vector<Bits> channels;
  for (const Bits& value : sampled(lookup, effects))
    channels.push_back(as_destination(form, lookup.texture, value));
  while (channels.size() < most_channels)
    channels.push_back(effects.unspecified(destination_type(form).width));
  Results result;
  if (form.has(".f16x2"))
    result = {concat(channels[1], channels[0]), concat(channels[3], channels[2])};
  else
    for (const Bits& channel : channels) result.push_back(channel);
  result.push_back(Bits::boolean(true));  // `|p`
  return result;
}

Results gather_texels(const Form& form, const Operands& x, Effects& effects) {
  constexpr std::array<Modifier, most_channels> components = {".r", ".g", ".b", ".a"};
  const TextureLookup lookup = lookup_of(form, x, effects);
  unsigned component = 0;
  while (!form.has(components[component])) ++component;
  const bool is_present = component < lookup.texture.channels;
  Results result;
  if (is_present) {
    for (const Bits& texel : footprint(lookup, component, effects))
      result.push_back(as_destination(form, lookup.texture, texel));
  } else {
    for (unsigned i = 0; i < 4; ++i) result.push_back(effects.unspecified(32));
  }
  result.push_back(Bits::boolean(true));  // `|p`
  return result;
}

namespace {

Bits answer(std::uint64_t value) { return Bits(32, value); }

OpaqueObject queried_image(const Operands& x, OpaqueObject::Kind kind, Effects& effects) {
  OpaqueObject object = object_with(x.a, kind, effects);
  if (!object.address) throw UnhandledEffect("a texture or surface that the launch does not give");
  return object;
}

/// What textures and surfaces have in common.
Bits query_size(const Form& form, const OpaqueObject& object) {
  constexpr std::array<Modifier, most_image_dimensions> sizes = {".width", ".height", ".depth"};
  for (unsigned i = 0; i < sizes.size(); ++i) {
    if (!form.has(sizes[i])) continue;
    if (i >= object.dimensions) throw UnhandledEffect("the size of a dimension that does not exist");
    return answer(object.size[i]);
  }
  if (form.has(".array_size")) {
    const std::uint32_t layers = object.layers.value_or(0);
    return answer(object.is_cube ? (layers == 6 ? 0 : layers / 6) : layers);
  }
  throw UnhandledEffect("a number of an enumeration, which the source language defines");
}

}  // namespace

Bits query_texture(const Form& form, const Operands& x, Effects& effects) {
  const OpaqueObject texture = queried_image(x, OpaqueObject::Kind::texture, effects);
  if (const std::vector<Bits> level = source_registers(form, x, "lod");
      !level.empty() && !equal(level.front(), Bits(level.front().width(), 0)).is_true())
    throw UnhandledEffect("a level other than 0");
  if (form.has(".num_mipmap_levels") || form.has(".num_samples")) return answer(0);
  if (form.has(".normalized_coords")) return answer(texture.sampler.is_normalized.value_or(false) ? 1 : 0);
  return query_size(form, texture);
}

Bits query_sampler(const Form& form, const Operands& x, Effects& effects) {
  if (!form.has(".force_unnormalized_coords"))
    throw UnhandledEffect("a number of an enumeration, which the source language defines");
  return answer(
      object_with(x.a, OpaqueObject::Kind::sampler, effects).sampler.is_normalized.value_or(true) ? 0 : 1);
}

Bits query_surface(const Form& form, const Operands& x, Effects& effects) {
  const OpaqueObject surface = queried_image(x, OpaqueObject::Kind::surface, effects);
  if (form.has(".memory_layout")) return answer(surface.is_linear_memory ? 1 : 0);
  return query_size(form, surface);
}

Bits is_of_opaque_type(const Form& form, const Operands& x, Effects& effects) {
  const Bits may_be = may_be_handle(x.a);
  if (may_be.is_false()) return may_be;
  switch (object_with(x.a, std::nullopt, effects).kind) {
    case OpaqueObject::Kind::texture:
      return Bits::boolean(form.has(".texref"));
    case OpaqueObject::Kind::sampler:
      return Bits::boolean(form.has(".samplerref"));
    case OpaqueObject::Kind::surface:
      return Bits::boolean(form.has(".surfref"));
  }
  return Bits::boolean(false);
}

}  // namespace ptxmc
