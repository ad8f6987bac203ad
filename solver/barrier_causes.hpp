#pragma once

#include "solver/encoding.hpp"

namespace ptxmc {

/// Satisfiable exactly when no barrier is passed because of what happens only when it has been passed: that
/// would be a speculation that satisfies itself "through chains of instruction dependencies and inter-thread
/// communication" (PTX ISA 8.7 § 8.10.4). Not to be negated. The dependencies of a model know nothing of who
/// waits for whom.
Bits opens_no_barrier_by_itself(const Encoding&, TermGraph&);

}  // namespace ptxmc
