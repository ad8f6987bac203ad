#pragma once

#include <span>

#include "model/event.hpp"

namespace ptxmc {

/// The first event is of an earlier instruction of the same thread.
bool is_earlier_instruction(const Event&, const Event&);

/// Program order (PTX ISA 8.7 § 8.2): the first event comes before the second in its thread, also as the read
/// of a read-modify-write before its write. The elements of one vector access are not related.
bool precedes(std::span<const Event>, EventId, EventId);

}  // namespace ptxmc
