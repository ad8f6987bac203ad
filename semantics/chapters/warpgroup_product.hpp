#pragma once

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

// Rules of the matrix products of a warpgroup: PTX ISA 8.7 § 9.7.15. The product of each thread is an
// asynchronous operation of its own: it reads the rows of A and the columns of B from which the elements of D
// that the thread holds are computed.

/// `wgmma.mma_async`, `wgmma.mma_async.sp`: § 9.7.15.5.2, § 9.7.15.6.3.
Results multiply_by_warpgroup(const Form&, const Operands&, Effects&);
/// `wgmma.fence`, `wgmma.commit_group`, `wgmma.wait_group`: § 9.7.15.7.
Results fence_registers_of_warpgroup(const Form&, const Operands&, Effects&);
Results commit_products(const Form&, const Operands&, Effects&);
Results wait_for_products(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
