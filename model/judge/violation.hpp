#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"

namespace ptxmc {

/// One step of a path through an execution, and the relation of the model that it belongs to.
struct RelatedPair {
  std::string relation;  ///< as the model names it: "rf", "po", "pattern_synchronizes"
  EventId from = 0;
  EventId to = 0;
};

/// A cycle (for `empty`: a pair) that violates an axiom in an execution, as steps of the relations in the
/// model's definitions. Empty if the axiom holds or is negated.
std::vector<RelatedPair> violation(const cat::Model&, std::size_t axiom, const Execution&);

/// The same steps for a pair of a relation that the model defines. Empty if the relation does not contain the
/// pair.
std::vector<RelatedPair> derivation(const cat::Model&, const std::string& relation, EventId from, EventId to,
                                    const Execution&);

}  // namespace ptxmc
