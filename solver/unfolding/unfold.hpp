#pragma once

#include "model/program/event.hpp"
#include "solver/unfolding/unfolding_options.hpp"

namespace ptxmc {

/// Runs every thread separately with reads that return unknowns, and records its events with their
/// conditions. Paths that diverge are merged where they join again.
///
/// A loop whose number of iterations does not depend on reads is followed to its end. An iteration that
/// writes nothing, executes no barrier and returns to the same live state ends its thread as `spinning`.
/// Leaving it out loses no final state, since an execution of PTX stays consistent when reads are removed on
/// which nothing depends. Throws Unsupported beyond the limits.
EventStructure unfold(const Program&, TermGraph&, const UnfoldOptions&);

}  // namespace ptxmc
