#pragma once

#include <initializer_list>

#include "model/bit_matrix.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// Some thread of an execution has ended in this way.
bool some_ends(const EventStructure&, const PartialExecution&, Ending::Kind);

/// Some thread of an execution has ended in a way that ends the launch.
bool some_ends_launch(const EventStructure&, const PartialExecution&);

/// All of them in one of these ways.
bool all_end(const EventStructure&, const PartialExecution&, std::initializer_list<Ending::Kind>);

/// Every read of an iteration that is repeated for ever takes a write that no other follows in coherence
/// order, but for those that such iterations make themselves: these change nothing.
bool repeats_fairly(const EventStructure&, const PartialExecution&, const BitMatrix& coherence);

}  // namespace ptxmc
