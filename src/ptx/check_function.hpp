#pragma once

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// Checks a function's header against earlier declarations of it, declares it, and checks its body: PTX ISA
/// 8.7 § 7.1 and § 11.2. `statement` is its index in Module::statements.
void check_function(CheckContext&, Scope& module_scope, Function&, std::uint32_t statement);

/// `.alias`: PTX ISA 8.7 § 11.2.3.
void check_alias(CheckContext&, const Scope& module_scope, Alias&);

}  // namespace ptxmc::syntax
