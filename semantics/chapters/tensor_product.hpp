#pragma once

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

/// The rule of tcgen05.mma, .mma.sp, .mma.ws and .mma.ws.sp: PTX ISA 8.7 § 9.7.16.9.9. One thread starts the
/// whole product.
Results multiply_in_tensor_memory(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
