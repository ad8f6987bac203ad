#include "solver/explorer/shared_walk.hpp"

namespace ptxmc {

Walker::Walker(const EventStructure& structure, const cat::Model& model, const ExploredBarriers& barriers,
               const CountedPhases& counted, ExplorationWatch& watch, std::span<const Bits> starts)
    : execution_(structure, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any, {},
                 barriers.terms()),
      walk_(structure, model, execution_, barriers, &counted, watch, starts) {}

}  // namespace ptxmc
