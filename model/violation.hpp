#pragma once

#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"

namespace ptxmc {

/// One step of a path through an execution, and the relation of the model that it belongs to.
struct RelatedPair {
  std::string relation;  ///< as the model names it: "rf", "po", "pattern_synchronizes"
  EventId from = 0;
  EventId to = 0;
};

/// How an axiom fails in an execution: a cycle, or for `empty` a pair, spelled out in steps that the model's
/// definitions consist of. Empty when the axiom holds or is negated.
std::vector<RelatedPair> violation(const cat::Model&, std::size_t axiom, const Execution&);

/// Why a relation that the model defines has a pair, in the same steps. Empty when it does not have it.
std::vector<RelatedPair> derivation(const cat::Model&, const std::string& relation, EventId from, EventId to,
                                    const Execution&);

}  // namespace ptxmc
