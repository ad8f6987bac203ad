#pragma once

#include <optional>

#include "model/cat/cat_model.hpp"
#include "model/program/event.hpp"

namespace ptxmc {

/// The events with `fence.acq_rel` in place of `fence.sc`, if there are so many of the latter that their
/// order (fence_sc, PTX ISA 8.7 § 8.9.3) is a large part of a question. The executions of a launch are
/// executions with the weaker fences as well: fence_sc only adds to causality order and to what the axioms
/// forbid. So what no execution with the weaker fences violates, no execution violates.
///
/// Empty for models other than the embedded ones, and with fences that are restricted to some memory, which
/// the model lets work together with fence.sc differently than with fence.acq_rel.
std::optional<EventStructure> with_weaker_fences(const EventStructure&, const cat::Model&);

}  // namespace ptxmc
