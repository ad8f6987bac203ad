#pragma once

#include <optional>

#include "model/event.hpp"

namespace ptxmc {

/// The events of a launch with a thread count at every barrier that is used with and without one: PTX ISA 8.7
/// § 9.7.13.1, "if no thread count is specified, all threads in the CTA participate". None where there is no
/// such barrier. Those stay as they are of which a count is another one than that of all warps of the CTA, or
/// whose threads may exit without having been there: that lowers what a barrier without a count waits for.
std::optional<EventStructure> with_counts_of_all(const EventStructure&);

}  // namespace ptxmc
