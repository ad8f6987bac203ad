#pragma once

#include "semantics/source_text.hpp"

namespace ptxmc::kernel {

/// Throws InputError where tables and arrays of a TOML text nest too deeply, those that the parts of a dotted
/// key make included. To be called before toml++, which recurses once for each part of a key.
void check_toml_nesting(const SourceText&);

}  // namespace ptxmc::kernel
