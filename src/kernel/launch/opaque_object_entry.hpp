#pragma once

#include <span>

#include "src/kernel/launch/toml_values.hpp"

namespace ptxmc::kernel {

/// Whether an entry of `[[param]]` or `[[buffer]]` describes a texture, a sampler or a surface.
bool is_object_entry(const toml::table&);

/// Reads such an entry (docs/launch-format.md) into `parameter`, whose name and role are known. `earlier` are
/// the parameters before it, whose memory it may have. Throws InputError.
void read_opaque_object(const TomlValues&, const toml::table&, std::span<const Parameter> earlier,
                        Parameter&);

}  // namespace ptxmc::kernel
