#pragma once

#include <stdexcept>
#include <string>

#include "semantics/language/instruction.hpp"

namespace ptxmc {

/// Wrong input. The message is one sentence with what was found and what was expected.
struct InputError : std::runtime_error {
  InputError(std::string file, SourcePosition where, const std::string& message)
      : std::runtime_error(message), file(std::move(file)), where(where) {}
  std::string file;
  SourcePosition where;
};

/// Correct input that is not supported yet. The message names it: `wgmma.mma_async.sp (line 12)`.
struct Unsupported : std::runtime_error {
  Unsupported(const std::string& what, SourcePosition where) : std::runtime_error(what), where(where) {}
  SourcePosition where;
};

}  // namespace ptxmc
