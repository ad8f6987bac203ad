#pragma once

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// Checks a function's header against earlier declarations of it, declares it, and checks its body: PTX ISA
/// 8.7 § 7.1 and § 11.2. `statement` is its index in Module::statements.
void check_function(CheckContext&, Scope& module_scope, Function&, std::uint32_t statement);

/// `.alias`: PTX ISA 8.7 § 11.2.3.
void check_alias(CheckContext&, const Scope& module_scope, Alias&);

/// Whether return values and parameters have the same types, sizes and state spaces.
bool same_signature(const Function&, const Function&);

/// The declaration of a function symbol.
const Function& function_of(const Module&, const Symbol&);

}  // namespace ptxmc::syntax
