#pragma once

#include <cstdint>
#include <functional>

#include "src/kernel/launch/toml_values.hpp"

namespace ptxmc::kernel {

/// Reads the fields of a structure of `size` bytes: `fields = [{ offset = 0, address_of = "x" },
/// { offset = 8, type = "s32", value = -1 }]`. Adds the addresses to `addresses`, by offset, and calls
/// `set_byte` for each byte of a number. Throws InputError, also if a field does not lie in the structure.
void read_structure_fields(const TomlValues&, const toml::node& fields, std::uint64_t size,
                           Addresses& addresses,
                           const std::function<void(std::uint64_t offset, std::uint8_t)>& set_byte);

}  // namespace ptxmc::kernel
