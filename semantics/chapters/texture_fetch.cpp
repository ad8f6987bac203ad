#include "semantics/chapters/texture_fetch.hpp"

#include <bit>
#include <cmath>

#include "semantics/chapters/open_result.hpp"
#include "semantics/values/arithmetic.hpp"
#include "semantics/values/float_operations.hpp"
#include "semantics/values/float_value.hpp"

namespace ptxmc {

namespace {

constexpr FloatFormat f32 = FloatFormat::f32, f64 = FloatFormat::f64;

Bits f32_constant(float value) { return Bits(32, std::bit_cast<std::uint32_t>(value)); }
Bits f64_constant(double value) { return Bits(64, std::bit_cast<std::uint64_t>(value)); }

/// A texel in one dimension.
struct Tap {
  Bits index;      ///< 64 bits, inside
  Bits is_inside;  ///< width 1: false if it is on the border, where all channels are 0
  Bits weight;     ///< f64; width 0: the texel counts alone
};

constexpr int weight_bits = 8;  // of a filter weight, a fixed-point number

/// The coordinate in parts of a texel, 2^`weight_bits` in each, as f64: exact.
Bits in_parts_of_texels(const TextureLookup& lookup, unsigned dimension) {
  const double count = lookup.is_normalized ? lookup.texture.size[dimension] : 1.0;
  return float_multiply(f64, image_rounding,
                        float_convert(f64, f32, image_rounding, lookup.coordinates[dimension]),
                        f64_constant(std::ldexp(count, weight_bits)));
}

/// An integer of 64 bits, far enough from its limits for sums.
Bits bounded(const Bits& value) {
  constexpr std::int64_t most = std::int64_t{1} << 48;
  return minimum(maximum(value, image_number(static_cast<std::uint64_t>(-most)), true), image_number(most),
                 true);
}

Bits to_integer(Rounding rounding, const Bits& number) {
  return bounded(float_to_signed(64, f64, rounding, number));
}

/// Width 1: whether a number of f64 is an integer.
Bits is_integral(const Bits& number) {
  return equal(to_integer(Rounding::downward, number), to_integer(Rounding::upward, number));
}

/// Applies the address mode to an index. `wrap` and `mirror` are for normalized coordinates only.
Tap addressed(const TextureLookup& lookup, unsigned dimension, const Bits& index) {
  const std::uint64_t count = lookup.texture.size[dimension];
  const Bits inside = is_inside(index, count);
  if (inside.is_true()) return {index, inside, {}};
  if (lookup.texture.is_cube && lookup.sampler.is_linear)
    throw UnhandledEffect("filtering across the faces of a cube");
  const AddressMode mode = lookup.sampler.address[dimension];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  if (repeats && !lookup.is_normalized)
    throw UnhandledEffect("an address mode of normalized coordinates for others");
  if (mode == AddressMode::border) {
    if (!inside.is_constant()) throw UnhandledEffect("an unknown coordinate at the border of a texture");
    return {clamped(index, count), inside, {}};
  }
  Tap tap = {clamped(index, count), Bits::boolean(true), {}};
  const std::uint64_t period = mode == AddressMode::mirror ? 2 * count : count;
  if (repeats) {
    const Bits rest = remainder_signed(index, image_number(period));
    tap.index = ite(less_signed(rest, image_number(0)), rest + image_number(period), rest);
  }
  if (mode == AddressMode::mirror)
    tap.index =
        ite(less_signed(tap.index, image_number(count)), tap.index, image_number(period - 1) - tap.index);
  return tap;
}

Bits offset_of(const TextureLookup& lookup, unsigned dimension) {
  return dimension < lookup.offsets.size() ? lookup.offsets[dimension].sign_extend(64) : image_number(0);
}

/// The texel that contains a coordinate. How a normalized coordinate is multiplied is open, so that near the
/// edge of a texel either side of it is possible.
std::vector<Tap> nearest_tap(const TextureLookup& lookup, unsigned dimension, Effects& effects) {
  const auto tap_at = [&](const Bits& index) {
    return addressed(lookup, dimension, bounded(index) + offset_of(lookup, dimension));
  };
  if (!lookup.has_float_coordinates) return {tap_at(lookup.coordinates[dimension].sign_extend(64))};
  const Bits parts = in_parts_of_texels(lookup, dimension);
  const auto texel_of = [](const Bits& part) { return shift_right_signed(part, image_number(weight_bits)); };
  const Bits texel = texel_of(to_integer(Rounding::downward, parts));
  if (!lookup.is_normalized) return {tap_at(texel)};
  const Bits part = to_integer(image_rounding, parts), is_exact = is_integral(parts);
  const Bits below = ite(is_exact, texel, texel_of(part - image_number(1)));
  const Bits above = ite(is_exact, texel, texel_of(part + image_number(1)));
  return {tap_at(either_neighbour(texel, below, above, effects))};
}

/// The two texels around a coordinate, which has `weight_bits` bits after the point. How it is rounded to
/// them is open.
std::vector<Tap> linear_taps(const TextureLookup& lookup, unsigned dimension, Effects& effects) {
  const Bits parts = in_parts_of_texels(lookup, dimension);
  const Bits rounded = to_integer(image_rounding, parts);
  const Bits other = to_integer(Rounding::downward, parts) + to_integer(Rounding::upward, parts) - rounded;
  const auto from_centre = [](const Bits& part) { return part - image_number(1U << (weight_bits - 1)); };
  const Bits part = from_centre(either(rounded, other, effects));
  // One index where both ways to round give the same, so that an address is not open without need.
  const auto first_of = [](const Bits& place) {
    return shift_right_signed(place, image_number(weight_bits));
  };
  const Bits nearest_first = first_of(from_centre(rounded));
  const bool is_certain = equal(nearest_first, first_of(from_centre(other))).is_true();
  const Bits first = is_certain ? nearest_first : first_of(part);
  const Bits second_weight = part.extract(0, weight_bits).zero_extend(64);
  const Bits first_weight = image_number(1U << weight_bits) - second_weight;
  std::vector<Tap> taps;
  for (unsigned i = 0; i < 2; ++i) {
    taps.push_back(addressed(lookup, dimension, first + image_number(i) + offset_of(lookup, dimension)));
    taps.back().weight = float_multiply(
        f64, image_rounding, float_from_unsigned(f64, image_rounding, i == 0 ? first_weight : second_weight),
        f64_constant(std::ldexp(1.0, -weight_bits)));
  }
  return taps;
}

/// The number that an integer of a normalized format stands for, as f32, rounded to nearest: § 5.3.3.
Bits normalized_number(const OpaqueObject& texture, const Bits& value) {
  const bool is_signed = texture.channel.is_signed();
  const unsigned width = texture.channel.width;
  const Bits converted = is_signed ? float_from_signed(f32, image_rounding, value.sign_extend(64))
                                   : float_from_unsigned(f32, image_rounding, value.zero_extend(64));
  const double largest = std::ldexp(1.0, static_cast<int>(width - is_signed)) - 1;
  const Bits quotient =
      float_divide(f32, image_rounding, converted, f32_constant(static_cast<float>(largest)));
  const Bits lowest = Bits(width, u128{1} << (width - 1));
  return is_signed ? ite(equal(value, lowest), f32_constant(-1), quotient) : quotient;
}

Bits texel_number(const OpaqueObject& texture, const Bits& value) {
  if (texture.is_normalized_number) return normalized_number(texture, value);
  if (texture.channel.is_float()) return float_convert(f32, *texture.channel.format, image_rounding, value);
  return texture.channel.is_signed() ? value.resize_signed(32) : value.resize_unsigned(32);
}

Bits compared(DepthComparison comparison, const Bits& depth, const Bits& texel) {
  const Bits less = float_less(f32, depth, texel), same = float_equal(f32, depth, texel);
  const Bits greater = float_less(f32, texel, depth);
  Bits passes;
  switch (comparison) {
    case DepthComparison::never:
      passes = Bits::boolean(false);
      break;
    case DepthComparison::less:
      passes = less;
      break;
    case DepthComparison::equal:
      passes = same;
      break;
    case DepthComparison::less_equal:
      passes = less | same;
      break;
    case DepthComparison::greater:
      passes = greater;
      break;
    case DepthComparison::not_equal:
      passes = ~same;
      break;
    case DepthComparison::greater_equal:
      passes = greater | same;
      break;
    case DepthComparison::always:
      passes = Bits::boolean(true);
      break;
  }
  return ite(passes, f32_constant(1), f32_constant(0));
}

/// One channel of the texel at these places.
Bits fetched(const TextureLookup& lookup, std::span<const Tap* const> taps, unsigned channel,
             Effects& effects) {
  const OpaqueObject& texture = lookup.texture;
  std::vector<Bits> indices;
  bool is_on_border = false;
  for (const Tap* tap : taps) {
    indices.push_back(tap->index);
    is_on_border = is_on_border || tap->is_inside.is_false();
  }
  Bits value(32, 0);
  if (!is_on_border) {
    const Bits address = address_of_element(texture, indices, lookup.layer) +
                         image_number(std::uint64_t{channel} * texture.channel_bytes());
    value = texel_number(texture, effects.read(image_access(Proxy::texture), address, texture.channel.width));
  }
  if (lookup.depth.width() == 0) return value;
  if (!lookup.sampler.comparison) throw UnhandledEffect("a depth comparison that the launch does not give");
  return compared(*lookup.sampler.comparison, lookup.depth, value);
}

/// Visits all combinations of the taps of the dimensions, the first dimension fastest.
template <class Visit>
void for_each_texel(const std::vector<std::vector<Tap>>& taps, Visit visit) {
  std::size_t count = 1;
  for (const auto& each : taps) count *= each.size();
  for (std::size_t n = 0; n < count; ++n) {
    std::vector<const Tap*> chosen;
    std::size_t rest = n;
    for (const auto& each : taps) {
      chosen.push_back(&each[rest % each.size()]);
      rest /= each.size();
    }
    visit(std::span<const Tap* const>(chosen));
  }
}

/// The product of the weights in all dimensions, f64: exact.
Bits weight_of(std::span<const Tap* const> taps) {
  Bits product = taps.front()->weight;
  for (const Tap* tap : taps.subspan(1)) product = float_multiply(f64, image_rounding, product, tap->weight);
  return product;
}

/// The magnitude of a number of f32.
Bits magnitude(const Bits& x) { return x & Bits(32, 0x7fff'ffff); }

}  // namespace

bool gives_floats(const OpaqueObject& texture) {
  return texture.is_normalized_number || texture.channel.is_float();
}

namespace {

constexpr double normalized_error = 0x1p-15;  // of a number in [0, 1] or [-1, 1], at most

/// A number that a texture gives. How an integer is divided to get a number in [-1, 1] is open, but for the
/// numbers that need no division.
Bits read_number(const TextureLookup& lookup, const Bits& value, Effects& effects) {
  if (!lookup.texture.is_normalized_number || lookup.depth.width() != 0) return value;
  const Bits is_exact = is_float_zero(value) | equal(magnitude(value), f32_constant(1));
  if (is_exact.is_true()) return value;
  const auto moved = [&](Rounding rounding, double distance) {
    return ite(is_exact, value, float_add(f32, rounding, value, f32_constant(static_cast<float>(distance))));
  };
  return any_between(value, moved(Rounding::downward, -normalized_error),
                     moved(Rounding::upward, normalized_error), effects);
}

/// Width 1: whether a filter gives this sum (f64) exactly: a texture of f16 may give a number of f16, a
/// normalized one a number with few bits after the point.
Bits is_exact_sum(const TextureLookup& lookup, const Bits& sum) {
  constexpr FloatFormat f16 = FloatFormat::f16;
  if (lookup.depth.width() != 0 || lookup.texture.channel.format == f32) return Bits::boolean(true);
  if (lookup.texture.is_normalized_number)
    return is_integral(float_multiply(f64, image_rounding, sum, f64_constant(0.25 / normalized_error)));
  const Bits narrow = float_convert(f16, f64, image_rounding, sum);
  return float_equal(f64, float_convert(f64, f16, image_rounding, narrow), sum);
}

/// The weighted sum of texels. Where a product of weights has more than `weight_bits` bits after the point,
/// or the sum more bits than the texture's format, the result may be any number between the least texel and
/// the greatest.
Bits filtered(const TextureLookup& lookup, const std::vector<std::vector<Tap>>& taps, unsigned channel,
              Effects& effects) {
  // The products are exact, since a weight has at most 24 bits.
  Bits sum = f64_constant(0), least, greatest, is_exact = Bits::boolean(true);
  for_each_texel(taps, [&](auto chosen) {
    const Bits weight = weight_of(chosen);
    const Bits is_unused = is_float_zero(weight);
    if (is_unused.is_true()) return;
    const Bits value = fetched(lookup, chosen, channel, effects);
    const Bits more =
        float_multiply_add(f64, image_rounding, weight, float_convert(f64, f32, image_rounding, value), sum);
    sum = ite(is_unused, sum, more);
    is_exact =
        is_exact & is_integral(float_multiply(f64, image_rounding, weight, f64_constant(1 << weight_bits)));
    least = least.width() == 0 ? value : ite(~is_unused & float_less(f32, value, least), value, least);
    greatest =
        greatest.width() == 0 ? value : ite(~is_unused & float_less(f32, greatest, value), value, greatest);
  });
  const Bits result = float_convert(f32, f64, image_rounding, sum);
  is_exact = is_exact & is_exact_sum(lookup, sum);
  if (is_exact.is_true()) return result;
  const double error = lookup.texture.is_normalized_number ? normalized_error : 0;
  const auto moved = [&](Rounding rounding, const Bits& bound, double distance) {
    return ite(is_exact, result, float_add(f32, rounding, bound, f32_constant(static_cast<float>(distance))));
  };
  return any_between(result, moved(Rounding::downward, least, -error),
                     moved(Rounding::upward, greatest, error), effects);
}

}  // namespace

std::vector<Bits> sampled(const TextureLookup& lookup, Effects& effects) {
  const bool is_linear = lookup.sampler.is_linear && lookup.has_float_coordinates;
  if (is_linear && !gives_floats(lookup.texture)) throw UnhandledEffect("linear filtering of integers");
  std::vector<std::vector<Tap>> taps;
  for (unsigned i = 0; i < lookup.texture.dimensions; ++i)
    taps.push_back(is_linear ? linear_taps(lookup, i, effects) : nearest_tap(lookup, i, effects));
  std::vector<Bits> channels;
  for (unsigned channel = 0; channel < lookup.texture.channels; ++channel) {
    if (is_linear) {
      channels.push_back(filtered(lookup, taps, channel, effects));
      continue;
    }
    for_each_texel(taps, [&](auto chosen) {
      channels.push_back(read_number(lookup, fetched(lookup, chosen, channel, effects), effects));
    });
  }
  return channels;
}

std::array<Bits, 4> footprint(const TextureLookup& lookup, unsigned channel, Effects& effects) {
  const std::vector<Tap> x = linear_taps(lookup, 0, effects), y = linear_taps(lookup, 1, effects);
  const auto texel = [&](unsigned i, unsigned j) {
    const Tap* const chosen[] = {&x[i], &y[j]};
    return read_number(lookup, fetched(lookup, chosen, channel, effects), effects);
  };
  return {texel(0, 1), texel(1, 1), texel(1, 0), texel(0, 0)};
}

Bits choose_face(TextureLookup& lookup) {
  const Bits s = lookup.coordinates[0], t = lookup.coordinates[1], r = lookup.coordinates[2];
  const Bits a = magnitude(s), b = magnitude(t), c = magnitude(r);  // ordered as the integers of their bits
  const Bits is_s = less_unsigned(b, a) & less_unsigned(c, a),
             is_t = less_unsigned(a, b) & less_unsigned(c, b);
  const Bits is_r = less_unsigned(a, c) & less_unsigned(b, c);
  if (!(is_s | is_t | is_r).is_true())
    throw UnhandledEffect("a direction that may meet an edge between faces of a cube");
  const auto is_negative = [](const Bits& x) { return x.bit(31); };
  const auto opposite = [](const Bits& x) { return float_opposite(x); };
  // The CUDA C++ programming guide, "Cubemap Textures": face, s and t by the largest component.
  const Bits u =
      ite(is_s, ite(is_negative(s), r, opposite(r)), ite(is_t, s, ite(is_negative(r), opposite(s), s)));
  const Bits v = ite(is_t, ite(is_negative(t), opposite(r), r), opposite(t));
  const Bits major = ite(is_s, a, ite(is_t, b, c));
  const auto in_face = [&](const Bits& minor) {
    const Bits quotient = float_divide(f32, image_rounding, minor, major);
    return float_multiply(f32, image_rounding, float_add(f32, image_rounding, quotient, f32_constant(1)),
                          f32_constant(0.5F));
  };
  lookup.coordinates = {in_face(u), in_face(v)};
  lookup.is_normalized = true;
  const Bits first = ite(is_s, image_number(0), ite(is_t, image_number(2), image_number(4)));
  return first + ite(is_s, is_negative(s), ite(is_t, is_negative(t), is_negative(r))).zero_extend(64);
}

}  // namespace ptxmc
