#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/cat/cat_model.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// The model with the flags that mark programs which it does not cover.
cat::Model with_voiding_flags(cat::Model, bool has_mixed_sizes);

/// The name of such a flag that the program raises; flags about races are not considered.
std::optional<std::string> voiding_flag(const EventStructure&, cat::Model);

/// Keeps an execution that the model accepts as the witness of a flag, if it raises the flag and the flag has
/// no witness yet.
void note_flag(PartialExecution&, const EventStructure&, const cat::Model&, std::size_t flag,
               std::map<std::string, Execution>& raised);

/// Whether a relation of a complete execution can only grow with further choices.
bool grows_with_choices(cat::Model, cat::NodeId);
/// Whether a value can only become smaller with further choices.
bool shrinks_with_choices(cat::Model, cat::NodeId);

/// Whether the axioms require a relation to be acyclic, or irreflexive while it is transitive.
bool is_strict_order(const cat::Model&, cat::NodeId);

/// Whether some read may take a value that depends on the read itself, through dependencies and other reads.
bool may_read_from_thin_air(const EventStructure&, std::span<const PartialExecution::Part>);

/// The cost of one step, in steps of small executions: the size of relations is quadratic in the number of
/// events, and a composition is cubic.
std::uint64_t cost_of_step(std::size_t events);

/// Throws Unsupported for candidates with open inputs, or with exchanges whose order depends on reads.
void check_closed(const CandidateExecutions&);

/// Throws Unsupported for structures that are too large for the step limit, before anything of that size is
/// allocated.
void check_worth_exploring(const EventStructure&, const DecideOptions&);

}  // namespace ptxmc
