#pragma once

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// Whether return values and parameters have the same types, sizes and state spaces.
bool same_signature(const Function&, const Function&);

/// The declaration of a function symbol.
const Function& function_of(const Module&, const Symbol&);

}  // namespace ptxmc::syntax
