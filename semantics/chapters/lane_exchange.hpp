#pragma once

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

// Rules of instructions with which the threads of a warp exchange values. Each computes its result from the
// values that Effects::exchange returns (effects.hpp). Without `.sync` there is no membermask, and the active
// threads take part.

/// `shfl`, `shfl.sync`: PTX ISA 8.7 § 9.7.9.5, § 9.7.9.6. Results: d, and p if the instruction has it.
Results shuffle(const Form&, const Operands&, Effects&);

/// `vote`, `vote.sync`: PTX ISA 8.7 § 9.7.13.8, § 9.7.13.9.
Results vote(const Form&, const Operands&, Effects&);

/// `match.sync`: PTX ISA 8.7 § 9.7.13.10. Results: d, and p if the instruction has it.
Results match_values(const Form&, const Operands&, Effects&);

/// `activemask`: PTX ISA 8.7 § 9.7.13.11.
Results active_mask(const Form&, const Operands&, Effects&);

/// `redux.sync`: PTX ISA 8.7 § 9.7.13.12.
Results reduce_lanes(const Form&, const Operands&, Effects&);

/// `elect.sync`: PTX ISA 8.7 § 9.7.13.14. The manual leaves the choice open, but it is the same for the same
/// membermask: here the lowest lane. Results: d, p.
Results elect(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
