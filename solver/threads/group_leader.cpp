#include "solver/threads/group_leader.hpp"

#include "semantics/values/arithmetic.hpp"
#include "solver/threads/group_facts.hpp"

namespace ptxmc {

Bits is_leader(const OpenThread& thread, const OpenGroup& group, Leader leader) {
  const Bits lane = lane_of(thread), own = shift_left(Bits(lanes_per_warp, 1), lane);
  const Bits others =
      leader == Leader::lowest ? own - Bits(lanes_per_warp, 1) : ~((own - Bits(lanes_per_warp, 1)) | own);
  return is_zero(group.mask & others);
}

std::optional<Leader> leader_of(OpenQuestions& questions, const OpenGroup& group, const Bits& condition) {
  for (const Leader leader : {Leader::lowest, Leader::highest})
    if (questions.never(condition & ~(group.condition & is_leader(questions.thread(), group, leader))))
      return leader;
  return std::nullopt;
}

}  // namespace ptxmc
