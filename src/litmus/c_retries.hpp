#pragma once

#include "src/litmus/c_syntax.hpp"

namespace ptxmc {

/// The compare_exchange_weak of a loop that only tries again, `while (!x->compare_exchange_weak(r, …)) r =
/// 0;`: an iteration in which it fails for no reason leaves everything as it was, so that the outcomes are
/// those of the strong operation. Null: the loop has no such condition, or its body may tell the iterations
/// apart.
const c_syntax::Expression* weak_operation_of_retries(const c_syntax::Statement& loop);

}  // namespace ptxmc
