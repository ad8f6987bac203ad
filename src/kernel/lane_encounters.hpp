#pragma once

#include "src/kernel/warp_meetings.hpp"

namespace ptxmc::kernel {

/// Width 1: two stops without a membermask, at both of which somebody comes, are one at which they are active
/// together.
Bits are_together(const Stop&, const Stop&);

/// Who may meet whom at the exchanges of a launch, where that depends on what is read; by thread and stop.
///
/// PTX ISA 8.7 § 9.7.9.6, § 9.7.13.9, …: a thread waits until all threads of its membermask that have not
/// exited have executed the instruction with the same qualifiers and the same membermask. So the n-th such
/// exchange of one lane meets the n-th of the others, wherever they stand in the code.
std::vector<std::vector<Meeting>> lane_encounters(const std::vector<std::vector<Stop>>& stops,
                                                  const std::vector<std::vector<int>>& warps);

}  // namespace ptxmc::kernel
