#pragma once

#include "semantics/form.hpp"
#include "semantics/rule.hpp"

namespace ptxmc {

// Rules of instructions by which the threads of a warp exchange values. All of them are functions of what an
// exchange gives (effects.hpp). Without `.sync` there is no membermask, and the threads that are there take
// part.

/// `shfl`, `shfl.sync`: PTX ISA 8.7 § 9.7.9.5, § 9.7.9.6. Results: d, and p where it is written.
Results shuffle(const Form&, const Operands&, Effects&);

/// `vote`, `vote.sync`: PTX ISA 8.7 § 9.7.13.8, § 9.7.13.9.
Results vote(const Form&, const Operands&, Effects&);

/// `match.sync`: PTX ISA 8.7 § 9.7.13.10. Results: d, and p where it is written.
Results match_values(const Form&, const Operands&, Effects&);

/// `activemask`: PTX ISA 8.7 § 9.7.13.11.
Results active_mask(const Form&, const Operands&, Effects&);

/// `redux.sync`: PTX ISA 8.7 § 9.7.13.12.
Results reduce_lanes(const Form&, const Operands&, Effects&);

/// `elect.sync`: PTX ISA 8.7 § 9.7.13.14. The manual leaves the choice open, but for the same membermask it
/// is always the same: here, the lowest lane. Results: d, p.
Results elect(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
