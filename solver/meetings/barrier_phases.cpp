#include "solver/meetings/barrier_phases.hpp"

namespace ptxmc {

Bits has_exited(const EventStructure& structure, int thread) {
  Bits result = Bits::boolean(false);
  for (const Ending& ending : structure.endings[thread])
    if (ending.kind == Ending::Kind::completed) result = result | ending.condition;
  return result;
}

}  // namespace ptxmc
