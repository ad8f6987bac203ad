#pragma once

#include "semantics/language/source_text.hpp"

namespace ptxmc::kernel {

/// Throws InputError if tables and arrays of a TOML text nest too deeply, including tables that dotted keys
/// create. Call it before toml++, which recurses once for each part of a key.
void check_toml_nesting(const SourceText&);

}  // namespace ptxmc::kernel
