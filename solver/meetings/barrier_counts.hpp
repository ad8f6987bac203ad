#pragma once

#include <optional>

#include "model/program/event.hpp"

namespace ptxmc {

/// Adds a thread count to the events of barriers that are used both with and without one: PTX ISA 8.7 §
/// 9.7.13.1, "if no thread count is specified, all threads in the CTA participate". Empty if there is no such
/// barrier. A barrier is left unchanged if one of its counts is not the number of threads of all warps of the
/// CTA, or if threads may exit without executing it, since exits lower the number of threads that a barrier
/// without a count waits for.
std::optional<EventStructure> with_counts_of_all(const EventStructure&);

}  // namespace ptxmc
