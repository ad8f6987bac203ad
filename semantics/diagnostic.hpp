#pragma once

#include <stdexcept>
#include <string>

#include "semantics/instruction.hpp"

namespace ptxmc {

/// Input that is wrong: where, what was found, what was expected. One clear sentence.
struct InputError : std::runtime_error {
  InputError(std::string file, SourcePosition where, const std::string& message)
      : std::runtime_error(message), file(std::move(file)), where(where) {}
  std::string file;
  SourcePosition where;
};

/// Input that is right but that nothing here can handle yet: `wgmma.mma_async.sp (line 12)`.
struct Unsupported : std::runtime_error {
  Unsupported(const std::string& what, SourcePosition where) : std::runtime_error(what), where(where) {}
  SourcePosition where;
};

}  // namespace ptxmc
