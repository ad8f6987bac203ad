#include "src/kernel/launch/element_values.hpp"

#include <fmt/format.h>

#include <bit>

#include "semantics/values/float_arithmetic.hpp"

namespace ptxmc::kernel {

ElementType element_type(const TomlValues& values, const toml::node& node, const std::string& name) {
  const auto modifier = Modifier::find("." + name);
  const Type type = modifier ? type_of(*modifier) : Type{};
  const bool is_number = type.is_integer() || type.is_float() || type.kind == Type::Kind::bits ||
                         (type.kind == Type::Kind::packed && type.format);
  if (!is_number || type.width < 8 || type.width > 64 || (type.format && *type.format > FloatFormat::f64))
    values.fail(node, fmt::format("found type '{}', expected one such as u32, s64, f32, b8", name));
  return {name, type};
}

std::uint64_t number_bits(const TomlValues& values, const toml::node& node, const ElementType& element) {
  const unsigned width = element.type.width;
  if (element.type.is_float()) {
    const auto value = node.value<double>();
    if (!value || !node.is_number())
      values.fail(node, fmt::format("found {}, expected a number", TomlValues::kind_of(node)));
    return float_arithmetic::convert(*element.type.format, FloatFormat::f64, Rounding::nearest_even,
                                     std::bit_cast<std::uint64_t>(*value));
  }
  const std::int64_t highest =
      width == 64 ? INT64_MAX : (std::int64_t{1} << (element.type.is_signed() ? width - 1 : width)) - 1;
  const std::int64_t lowest = element.type.kind == Type::Kind::unsigned_integer ? 0
                              : width == 64                                     ? INT64_MIN
                                            : -(std::int64_t{1} << (width - 1));
  return static_cast<std::uint64_t>(values.integer(node, lowest, highest)) &
         (~std::uint64_t{0} >> (64 - width));
}

ScalarParameter read_scalar(const TomlValues& values, const toml::table& table) {
  ScalarParameter result;
  const toml::node& type = values.required(table, "type");
  result.element = element_type(values, type, values.string(type));
  const toml::node& value = values.required(table, "value");
  if (value.is_string()) {
    if (values.string(value) != "any")
      values.fail(value, fmt::format("found \"{}\", expected a number or \"any\"", values.string(value)));
    result.value = AnyValue{};
  } else {
    result.value = number_bits(values, value, result.element);
  }
  return result;
}

}  // namespace ptxmc::kernel
