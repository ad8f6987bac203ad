#include "semantics/chapters/surface_access.hpp"

#include <bit>
#include <cmath>
#include <numeric>

#include "semantics/chapters/image_access.hpp"
#include "semantics/chapters/open_result.hpp"
#include "semantics/language/memory_access.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

namespace {

std::uint64_t row_bytes(const OpaqueObject& surface) {
  return std::uint64_t{surface.size[0]} * surface.element_bytes();
}

bool is_true_here(const Bits& condition) {
  if (!condition.is_constant()) throw UnhandledEffect("coordinates of a surface that are not known");
  return condition.is_true();
}

/// The address of an access of `size` bytes; width 0 if it is outside and has no effect (`.zero`). The first
/// coordinate counts bytes (`.b`) or samples (`.p`). An index of a layer that does not exist is outside of
/// the surface, too.
Bits address_of(const Form& form, const Operands& x, const OpaqueObject& surface, std::uint64_t size,
                Effects& effects) {
  std::vector<Bits> given = source_registers(form, x, "b");
  Bits layer = image_number(0), is_in = Bits::boolean(true);
  if (is_array_form(form)) {
    layer = given.front().zero_extend(64);
    given.erase(given.begin());
    is_in = is_inside(layer, *surface.layers);
    layer = ite(is_in, layer, image_number(*surface.layers - 1));
  }
  const bool counts_bytes = form.has(".b");
  const std::uint64_t row = std::uint64_t{surface.size[0]} * (counts_bytes ? surface.element_bytes() : 1);
  const std::uint64_t step = counts_bytes ? size : 1;
  if (step > row) throw UnhandledEffect("an access larger than a row of the surface");
  const Bits first = given.front().sign_extend(64);
  is_in = is_in & is_inside(first, row - step + 1);
  Bits column = clamped(first, row - step + 1);
  // The first is the column, which has its own unit.
  std::vector<Bits> others(surface.dimensions, image_number(0));
  for (unsigned i = 1; i < surface.dimensions; ++i) {
    const Bits coordinate = given[i].sign_extend(64);
    is_in = is_in & is_inside(coordinate, surface.size[i]);
    others[i] = clamped(coordinate, surface.size[i]);
  }
  if (!form.has(".clamp") && !is_true_here(is_in)) {
    if (form.has(".trap")) effects.trap();
    return {};
  }
  // Rows do not begin at multiples of the size: the access is divided, and memory does not check it.
  const Bits is_aligned = equal(column & image_number(step - 1), image_number(0));
  if (counts_bytes && row % step != 0 && equal(column, first).is_true() && !is_aligned.is_true())
    throw UnhandledEffect("a place that may not be aligned, in a surface with other rows");
  // Bytes outside of the row are moved to the nearest place of that size.
  if (counts_bytes) column = ite(equal(column, first), column, column & image_number(~(step - 1)));
  const Bits unit = image_number(counts_bytes ? 1 : surface.element_bytes());
  return address_of_element(surface, others, layer) + column * unit;
}

/// An access to one of the elements of an instruction that accesses `size` bytes. The first must be aligned
/// to all of them: § 9.7.11.1.
Access surface_access(const OpaqueObject& surface, std::uint64_t size, bool is_first) {
  Access access = image_access(Proxy::surface);
  if (is_first && row_bytes(surface) % size == 0) access.alignment = static_cast<std::uint8_t>(size);
  return access;
}

/// An access of `width` bits is divided where rows do not begin at a multiple of its size.
unsigned piece_width(const OpaqueObject& surface, unsigned width) {
  return static_cast<unsigned>(std::gcd(row_bytes(surface), std::uint64_t{width / 8})) * 8;
}

unsigned elements_of(const Form& form) { return form.has(".v2") ? 2 : form.has(".v4") ? 4 : 1; }

/// The bits of the format for a number of 32 bits: § 9.7.11.2. A number outside of the format has no defined
/// result.
Bits formatted(const OpaqueObject& surface, const Bits& value, Effects& effects) {
  const Type& type = surface.channel;
  constexpr FloatFormat f32 = FloatFormat::f32;
  // How a number is rounded is open: it becomes the next one below or above.
  const auto one_of_neighbours = [&](auto rounded) {
    return either_neighbour(rounded(image_rounding), rounded(Rounding::downward), rounded(Rounding::upward),
                            effects);
  };
  if (type.is_float())
    return one_of_neighbours(
        [&](Rounding rounding) { return float_convert(*type.format, f32, rounding, value); });
  const bool is_signed = type.is_signed();
  if (surface.is_normalized_number) {
    const auto constant = [](double number) {
      return Bits(32, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    };
    const Bits one = constant(1), lowest = constant(is_signed ? -1 : 0);
    const Bits bounded =
        ite(float_less(f32, value, lowest), lowest, ite(float_less(f32, one, value), one, value));
    const Bits scaled =
        float_multiply(f32, image_rounding, bounded, constant(std::ldexp(1.0, type.width - is_signed) - 1));
    return one_of_neighbours(
        [&](Rounding rounding) { return float_to_signed(32, f32, rounding, scaled).extract(0, type.width); });
  }
  if (type.width >= 32)
    return is_signed ? value.resize_signed(type.width) : value.resize_unsigned(type.width);
  const Bits kept = value.extract(0, type.width);
  const Bits fits = equal(is_signed ? kept.sign_extend(32) : kept.zero_extend(32), value);
  if (fits.is_false()) throw UnhandledEffect("a number outside of the range of the surface's format");
  return fits.is_true() ? kept : ite(fits, kept, effects.unspecified(type.width));
}

/// The type of the numbers that a reduction combines: § 9.7.11.3.
bool is_signed_reduction(const Form& form, const OpaqueObject& surface) {
  if (form.has(".b")) return form.is_signed();
  const bool fits = surface.channels == 1 && surface.channel.is_integer() && !surface.is_normalized_number &&
                    surface.channel.width == form.width();
  if (!fits) throw UnhandledEffect("a reduction of samples of another format");
  return surface.channel.is_signed();
}

}  // namespace

Results load_surface(const Form& form, const Operands& x, Effects& effects) {
  const unsigned count = elements_of(form), width = form.width();
  const std::uint64_t size = std::uint64_t{width} / 8 * count;
  const OpaqueObject surface = image_of(form, x, OpaqueObject::Kind::surface, effects);
  const Bits start = address_of(form, x, surface, size, effects);
  const unsigned piece = piece_width(surface, width);
  Results result;
  for (unsigned i = 0; i < count; ++i) {
    Bits value(width, 0);
    for (unsigned at = 0; at < width && start.width() != 0; at += piece) {
      const unsigned bit = i * width + at;
      const Bits part =
          effects.read(surface_access(surface, size, bit == 0), start + image_number(bit / 8), piece);
      value = at == 0 ? part : concat(part, value);
    }
    result.push_back(value);
  }
  return result;
}

namespace {

/// `sust.p`: the components that the source lacks get values that cannot be predicted.
void store_sample(const OpaqueObject& surface, const Bits& address, const std::vector<Bits>& sources,
                  Effects& effects) {
  for (unsigned i = 0; i < surface.channels; ++i) {
    const Bits value = i < sources.size() ? formatted(surface, sources[i], effects)
                                          : effects.unspecified(surface.channel.width);
    effects.write(image_access(Proxy::surface),
                  address + image_number(std::uint64_t{i} * surface.channel_bytes()), value);
  }
}

}  // namespace

Results store_surface(const Form& form, const Operands& x, Effects& effects) {
  const OpaqueObject surface = image_of(form, x, OpaqueObject::Kind::surface, effects);
  const std::vector<Bits> sources = source_registers(form, x, "c");
  const unsigned width = form.width();
  const std::uint64_t size = form.has(".p") ? surface.element_bytes() : width / 8 * sources.size();
  const Bits address = address_of(form, x, surface, size, effects);
  if (address.width() == 0) return {};
  if (form.has(".p")) {
    store_sample(surface, address, sources, effects);
    return {};
  }
  const unsigned piece = piece_width(surface, width);
  for (unsigned i = 0; i < sources.size(); ++i)
    for (unsigned at = 0; at < width; at += piece) {
      const unsigned bit = i * width + at;
      effects.write(surface_access(surface, size, bit == 0), address + image_number(bit / 8),
                    sources[i].extract(at, piece));
    }
  return {};
}

Results reduce_surface(const Form& form, const Operands& x, Effects& effects) {
  const OpaqueObject surface = image_of(form, x, OpaqueObject::Kind::surface, effects);
  const bool is_signed = is_signed_reduction(form, surface);
  const Bits address = address_of(form, x, surface, form.width() / 8, effects);
  if (address.width() == 0) return {};
  if (piece_width(surface, form.width()) != form.width())
    throw UnhandledEffect("a reduction in a row that does not begin at a multiple of its size");
  Access access = image_access(Proxy::surface);
  access.sem = Sem::relaxed;
  access.scope = Scope::gpu;
  access.is_reduction = true;
  const Bits operand = source_registers(form, x, "c").front();
  effects.read_modify_write(access, address, form.width(), [&](const Bits& old) {
    return integer_reduction(form, is_signed, operand, old);
  });
  return {};
}

}  // namespace ptxmc
