#include "src/litmus/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <string>

#include "semantics/values/float_operations.hpp"
#include "src/ptx/lexical.hpp"

namespace ptxmc {

namespace {

using litmus_syntax::Number;

constexpr std::array<std::pair<const char*, FloatFormat>, 4> formats = {{{"f16", FloatFormat::f16},
                                                                         {"bf16", FloatFormat::bf16},
                                                                         {"f32", FloatFormat::f32},
                                                                         {"f64", FloatFormat::f64}}};
constexpr auto second = &std::pair<const char*, FloatFormat>::second;

std::optional<Number> single_of(std::string_view decimal) {
  float value = 0;
  const auto [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return Number{std::bit_cast<std::uint32_t>(value), {}, Number::Notation::f32};
}

}  // namespace

Type type_named(const std::string& name) {
  const auto modifier = Modifier::find("." + name);
  return modifier ? type_of(*modifier) : Type{};
}

std::optional<FloatFormat> float_format_of(const Type& type) {
  const bool is_known = type.is_float() && std::ranges::find(formats, *type.format, second) != formats.end();
  return is_known ? type.format : std::nullopt;
}

const char* name_of(FloatFormat format) { return std::ranges::find(formats, format, second)->first; }

std::optional<Number> float_number_of(std::string_view text) {
  const bool is_exact = text.size() > 1 && std::string_view("fFdD").find(text[1]) != std::string_view::npos;
  if (!is_exact && (text.ends_with('f') || text.ends_with('F')))
    return single_of(text.substr(0, text.size() - 1));
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  try {
    const auto [constant, length] = syntax::parse_constant_literal(text);
    const bool is_single = constant.kind == syntax::Constant::Kind::f32;
    return Number{constant.bits ^ (std::uint64_t{is_negative} << 63),
                  {},
                  is_single ? Number::Notation::f32 : Number::Notation::f64};
  } catch (const syntax::ConstantTextError&) {
    return std::nullopt;
  }
}

std::string more_bits_than(FloatFormat format) {
  return fmt::format("found a value that needs more than the {} bits of {}", layout_of(format).width,
                     name_of(format));
}

std::optional<Bits> float_value(FloatFormat format, const Number& number) {
  using enum Number::Notation;
  constexpr Rounding nearest = Rounding::nearest_even;
  const unsigned width = layout_of(format).width;
  const Bits bits(64, number.bits);
  switch (number.notation) {
    case decimal:
      return float_from_signed(format, nearest, bits);
    case hexadecimal:
      if (width < 64 && number.bits >> width != 0) return std::nullopt;
      return Bits(width, number.bits);
    case f32:
      return format == FloatFormat::f32
                 ? Bits(32, number.bits)
                 : float_convert(format, FloatFormat::f32, nearest, bits.extract(0, 32));
    case f64:
      return format == FloatFormat::f64 ? bits : float_convert(format, FloatFormat::f64, nearest, bits);
  }
  return std::nullopt;
}

}  // namespace ptxmc
