#pragma once

#include <optional>
#include <span>
#include <utility>

#include "model/program/execution.hpp"

namespace ptxmc {

/// The execution in which the read of a data race takes the initial content of memory instead of the write.
/// This content is changed to the value that the read has taken, so that all else stays the same. Models with
/// the definitions of ptx-8.7 accept it, with the same choices, if the given execution is an interleaving
/// (`is_interleaving`) and the race is one of `unordered_accesses` (Synchronization::possible) whose write
/// happens first. The proof is in initial_content_read.cpp.
///
/// Empty if the race is of another kind, if the bytes have been written before, or if another read takes
/// their initial content.
std::optional<Execution> reading_initial_content(const Execution&, std::span<const std::size_t> moments,
                                                 const std::pair<EventId, EventId>& race);

}  // namespace ptxmc
