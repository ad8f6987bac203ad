#pragma once

#include <fmt/format.h>

#include <string>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

/// What a reader says: `line:column: message`, with `unsupported:` before it, or `accepted`.
template <class Read>
std::string message_of(const Read& read) {
  try {
    read();
    return "accepted";
  } catch (const InputError& error) {
    return fmt::format("{}:{}: {}", error.where.line, error.where.column, error.what());
  } catch (const Unsupported& unsupported) {
    return fmt::format("{}:{}: unsupported: {}", unsupported.where.line, unsupported.where.column,
                       unsupported.what());
  }
}

}  // namespace ptxmc
