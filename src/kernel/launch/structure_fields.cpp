#include "src/kernel/launch/structure_fields.hpp"

#include <fmt/format.h>

#include "src/kernel/launch/element_values.hpp"

namespace ptxmc::kernel {

std::vector<NamedField> read_structure_fields(
    const TomlValues& values, const toml::node& fields, std::uint64_t size, Addresses& addresses,
    const std::function<void(std::uint64_t offset, std::uint8_t)>& set_byte) {
  std::vector<NamedField> named;
  constexpr std::uint64_t address_bytes = 8;
  for (const toml::node& node : values.array(fields)) {
    if (!node.is_table())
      values.fail(node,
                  "found another value, expected { offset = …, address_of = \"…\" } or { offset = …, "
                  "type = \"…\", value = … }");
    const toml::table& field = *node.as_table();
    const bool is_address = field.contains("address_of");
    if (is_address)
      values.check_keys(field, {"offset", "address_of"});
    else
      values.check_keys(field, {"offset", "name", "type", "value"});
    const toml::node& place = values.required(field, "offset");
    const auto offset = static_cast<std::uint64_t>(values.integer(place, 0, INT32_MAX));
    const auto check_place = [&](std::uint64_t bytes) {
      if (bytes > size || offset > size - bytes)
        values.fail(place, fmt::format("found a field of {} bytes at offset {}, expected it within {} bytes",
                                       bytes, offset, size));
    };
    if (is_address) {
      check_place(address_bytes);
      if (offset % address_bytes != 0)
        values.fail(place, fmt::format("found an address at offset {}, expected a multiple of {}", offset,
                                       address_bytes));
      addresses[offset] = values.string(field, "address_of");
      continue;
    }
    const ScalarParameter scalar = read_scalar(values, field);
    check_place(scalar.element.bytes());
    const auto* const bits = std::get_if<std::uint64_t>(&scalar.value);
    if (field.contains("name")) {
      named.push_back({offset, values.string(field, "name"), scalar, &node});
      continue;
    }
    if (bits == nullptr) values.fail(node, "found a field of any value without 'name', expected it");
    for (std::uint64_t i = 0; i < scalar.element.bytes(); ++i)
      set_byte(offset + i, static_cast<std::uint8_t>(*bits >> 8 * i));
  }
  return named;
}

}  // namespace ptxmc::kernel
