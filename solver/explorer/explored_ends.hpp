#pragma once

#include <initializer_list>

#include "model/relations/bit_matrix.hpp"
#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// Whether some thread of an execution has ended in this way.
bool some_ends(const EventStructure&, const PartialExecution&, Ending::Kind);

/// Whether some thread of an execution has ended in a way that ends the launch.
bool some_ends_launch(const EventStructure&, const PartialExecution&);

/// Whether all threads have ended in one of these ways.
bool all_end(const EventStructure&, const PartialExecution&, std::initializer_list<Ending::Kind>);

/// Whether every read of an iteration that is repeated for ever takes a write that no other write follows in
/// coherence order. Writes of such iterations do not count, since they change nothing.
bool repeats_fairly(const EventStructure&, const PartialExecution&, const BitMatrix& coherence);

}  // namespace ptxmc
