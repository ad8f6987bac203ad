#include "solver/shared_walk.hpp"

namespace ptxmc {

Walker::Walker(const EventStructure& structure, const cat::Model& model, const ExploredBarriers& barriers,
               const CountedPhases& counted, ExplorationWatch& watch, std::span<const Bits> starts)
    : execution_(structure, model, std::vector<std::string>{"co"}, PartialExecution::Ends::any, {},
                 barriers.terms()),
      walk_(structure, model, execution_, barriers, &counted, watch, starts) {}

std::pair<std::vector<Place>, ExecutionWalk::Course> Walker::divide(std::size_t at_least,
                                                                    ExecutionObserver& observer) {
  ExecutionWalk::Course course;
  const auto places_at = [&](std::size_t depth) {
    auto [places, seen] = walk_.places_at(depth, observer);
    course = seen;
    return places;
  };
  std::vector<Place> places = ptxmc::divide(at_least, places_at);
  return {std::move(places), std::move(course)};
}

}  // namespace ptxmc
