#pragma once

#include "semantics/language/form.hpp"

namespace ptxmc {

/// Whether an asynchronous operation of the first form is performed before one of the second form that is
/// started later: tcgen05.cp and tcgen05.mma, for example (PTX ISA 8.7 § 9.7.16.5.2). Two products must also
/// have the same shape and accumulator.
bool are_pipelined(const Form& first, const Form& second);

/// Whether a tcgen05.commit of the second form waits for an operation of the first form that its thread has
/// started: both have the same `.cta_group` (PTX ISA 8.7 § 9.7.16.11.1).
bool is_tracked(const Form& operation, const Form& commit);

}  // namespace ptxmc
