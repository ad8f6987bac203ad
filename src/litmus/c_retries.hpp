#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// A loop that tries a compare_exchange_weak again until it succeeds, `while (!x->compare_exchange_weak(r,
/// 1)) r = 0;`. An iteration in which it fails for no reason only reads, and the next one begins as it did.
/// Without that iteration the execution is one of the strong operation, with the same outcome.
struct CRetries {
  const c_syntax::Expression* weak = nullptr;
  /// What variables must hold when the loop begins, since a failed iteration ends with these values.
  std::map<std::string, std::uint64_t> begins_with;
};

/// Nothing if the loop has no such form. `is_memory(name)`: whether the value of the name is in memory.
std::optional<CRetries> retries_of(const c_syntax::Statement& loop,
                                   const std::function<bool(const std::string&)>& is_memory);

}  // namespace ptxmc
