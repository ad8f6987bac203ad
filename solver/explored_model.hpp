#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/cat_model.hpp"
#include "solver/decide.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// With the flags that say that a model knows nothing of a program.
cat::Model with_voiding_flags(cat::Model, bool has_mixed_sizes);

/// The name of such a flag, other than that of a race, which is raised by what is in the program.
std::optional<std::string> voiding_flag(const EventStructure&, cat::Model);

/// Keeps an execution that the model accepts as the witness of one of its flags, when it raises it and there
/// is none of this name.
void note_flag(PartialExecution&, const EventStructure&, const cat::Model&, std::size_t flag,
               std::map<std::string, Execution>& raised);

/// A relation of a complete execution only grows with what is chosen.
bool grows_with_choices(cat::Model, cat::NodeId);
/// The same of a value that can only become smaller.
bool shrinks_with_choices(cat::Model, cat::NodeId);

/// By the axioms, a relation is transitive and irreflexive, or acyclic.
bool is_strict_order(const cat::Model&, cat::NodeId);

/// Some read may take, over dependencies and other reads, what depends on itself.
bool may_read_from_thin_air(const EventStructure&, std::span<const PartialExecution::Part>);

/// What one step costs, in steps of small executions: relations grow with the square of the events, and each
/// row of a product with the events once more.
std::uint64_t cost_of_step(std::size_t events);

/// Refuses what a limit on steps leaves no room for, before anything of that size is made.
/// Throws Unsupported.
void check_worth_exploring(const EventStructure&, const DecideOptions&);

}  // namespace ptxmc
