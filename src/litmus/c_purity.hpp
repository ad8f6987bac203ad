#pragma once

#include <functional>
#include <set>
#include <string>

#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// The local variables that a statement changes, if it only computes: it accesses no memory, leaves no loop
/// and contains none.
struct CComputation {
  bool only_computes = true;
  std::set<std::string> changed;
};

/// `is_memory(name)`: whether the value of the name is in memory.
CComputation computation_of(const c_syntax::Statement&,
                            const std::function<bool(const std::string&)>& is_memory);

}  // namespace ptxmc
