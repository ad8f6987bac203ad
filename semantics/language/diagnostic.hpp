#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "semantics/language/source_position.hpp"

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
  /// `reason` says which case of `what` is not supported; it may be empty.
  Unsupported(const std::string& what, std::string_view reason, SourcePosition where)
      : Unsupported(reason.empty() ? what : what + ": " + std::string(reason), where) {}
  SourcePosition where;
};

}  // namespace ptxmc
