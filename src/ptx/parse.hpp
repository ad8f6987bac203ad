#pragma once

#include "src/ptx/diagnostics.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The version of the manual that instructions and directives are judged by.
inline constexpr unsigned newest_version = 90;

/// Reads a module: PTX ISA 8.7 § 4.1 and chapter 11. Statements that are wrong are reported and left out.
/// Names are not resolved and instructions not matched: see check.hpp.
Module parse(std::shared_ptr<const SourceText>, Diagnostics&);

}  // namespace ptxmc::syntax
