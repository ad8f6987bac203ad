#pragma once

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

// What is known of lanes that execute an `activemask` together. PTX ISA 8.7 § 9.7.13.11 does not say which
// lanes these are: any lanes of the warp that execute it, in the same calls.

/// The lane of the thread in its warp, 32 bits.
Bits lane_of(const OpenThread&);
/// Whether a mask has a lane, width 1.
Bits has_lane(const Bits& mask, const Bits& lane);
/// The condition (width 1) that both threads of a pair, which are in one warp, execute the `activemask`
/// together.
Bits are_in_group(const OpenGroup&, ThreadPair&);

/// Assumes that groups divide the lanes of a warp that execute the `activemask`, and facts about the numbers
/// of lanes in their masks.
void assume_groups(OpenQuestions&);

/// What an exchange computes in the thread, width 1.
Bits definition(const OpenThread&, const GroupExchange&);
/// What lanes of a group know from each other after an exchange, width 1. All lanes of the group must execute
/// the exchange.
Bits definition(const OpenThread&, const GroupExchange&, ThreadPair&);

}  // namespace ptxmc
