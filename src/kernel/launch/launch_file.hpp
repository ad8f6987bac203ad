#pragma once

#include "src/kernel/launch/toml_values.hpp"
#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// Reads a launch file (TOML; docs/launch-format.md). Throws InputError for every mistake in it, including an
/// unknown key.
Launch read_launch(const std::filesystem::path&);
/// The same for a text; `module` is relative to `file`, unless the text of the module is given.
Launch parse_launch(const std::string& text, const std::filesystem::path& file, const PlaceOf&,
                    std::optional<std::string> module_text = {});

}  // namespace ptxmc::kernel
