#pragma once

#include <optional>

#include "model/program/event.hpp"

namespace ptxmc {

/// Settles reads that certain barriers order (certain_barriers.hpp), under a model with the axioms of PTX
/// (cat::has_axioms_of_ptx). Threads go on behind these barriers in the result. Empty if there are no certain
/// barriers, or if the model has not these axioms.
std::optional<EventStructure> with_reads_settled_by_certain_barriers(const EventStructure&,
                                                                     bool has_axioms_of_ptx);

}  // namespace ptxmc
