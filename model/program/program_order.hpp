#pragma once

#include <span>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether the first event belongs to an earlier instruction of the same thread.
bool is_earlier_instruction(const Event&, const Event&);

/// Program order (PTX ISA 8.7 § 8.2): the first event precedes the second in the same thread. The read of a
/// read-modify-write precedes its write. The elements of one vector access are not related.
bool precedes(std::span<const Event>, EventId, EventId);

}  // namespace ptxmc
