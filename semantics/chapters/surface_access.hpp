#pragma once

#include "semantics/language/rule.hpp"

namespace ptxmc {

// The rules of PTX ISA 8.7 § 9.7.11. Accesses are weak, reductions are relaxed at gpu scope, and all go
// through the surface proxy.
Results load_surface(const Form&, const Operands&, Effects&);
Results store_surface(const Form&, const Operands&, Effects&);
Results reduce_surface(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
