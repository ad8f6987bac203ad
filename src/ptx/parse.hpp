#pragma once

#include "src/ptx/diagnostics.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The newest PTX version that instructions and directives are checked against.
inline constexpr unsigned newest_version = 90;

/// Reads a module: PTX ISA 8.7 § 4.1 and chapter 11. Wrong statements are reported and left out. Names are
/// not resolved and instructions not matched; check.hpp does that.
Module parse(std::shared_ptr<const SourceText>, Diagnostics&);

}  // namespace ptxmc::syntax
