#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/kernel/launch/toml_values.hpp"

namespace ptxmc::kernel {

/// A number in a structure that has a name, or may have any value.
struct NamedField {
  std::uint64_t offset = 0;
  std::string name;
  ScalarParameter scalar;
  const toml::node* where = nullptr;
};

/// Reads the fields of a structure of `size` bytes: `fields = [{ offset = 0, address_of = "x" },
/// { offset = 8, type = "s32", value = -1 }, { offset = 12, name = "n", type = "s32", value = "any" }]`. Adds
/// the addresses to `addresses`, by offset, calls `set_byte` for each byte of a number without a name, and
/// returns the others. Throws InputError, also if a field does not lie in the structure.
std::vector<NamedField> read_structure_fields(
    const TomlValues&, const toml::node& fields, std::uint64_t size, Addresses& addresses,
    const std::function<void(std::uint64_t offset, std::uint8_t)>& set_byte);

}  // namespace ptxmc::kernel
