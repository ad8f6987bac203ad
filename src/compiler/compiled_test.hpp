#pragma once

#include "src/compiler/mapping.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// The test of PTX that a mapping makes of a test of scoped C++, instruction by instruction: plain accesses
/// are weak, volatile accesses volatile, and atomic operations and fences become the code of their rules, at
/// their scopes. A compare-and-swap has the stronger of its two orders. An operation of `thread_scope_thread`
/// is weak, a read-modify-write relaxed in the block. Registers and locations keep their names, and branches
/// and computations stay as they are; so do dependencies, those without an effect in the source left out.
///
/// Throws InputError for a test of PTX, and if the mapping has no rule for an operation of the test.
LitmusTest compiled_test(const LitmusTest&, const Mapping&);

}  // namespace ptxmc
