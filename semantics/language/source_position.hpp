#pragma once

#include <cstdint>

namespace ptxmc {

/// A position in a source text, starting at 1. Line 0: no position.
struct SourcePosition {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

}  // namespace ptxmc
