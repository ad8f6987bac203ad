#pragma once

#include "src/kernel/launch/toml_values.hpp"

namespace ptxmc::kernel {

/// The maximum size of one buffer, in bytes.
constexpr std::uint64_t most_buffer_bytes = std::uint64_t{1} << 28;
/// The maximum size of dynamic shared memory, in bytes.
constexpr std::uint32_t most_dynamic_shared = 1U << 20;

/// The type of the numbers in a buffer, such as "u32". The node is for errors.
ElementType element_type(const TomlValues&, const toml::node&, const std::string& name);

/// The bits of a number of this type.
std::uint64_t number_bits(const TomlValues&, const toml::node&, const ElementType&);

/// `type` and `value` of a table.
ScalarParameter read_scalar(const TomlValues&, const toml::table&);

}  // namespace ptxmc::kernel
