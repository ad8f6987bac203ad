#pragma once

#include <span>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether the first event belongs to an earlier instruction of the same thread.
bool is_earlier_instruction(const Event&, const Event&);

/// Whether the first event is the success of the wait (EventKind::wait) that the second one reads for.
bool is_success_of(const Event& wait, const Event& read);

/// Program order (PTX ISA 8.7 § 8.2): the first event precedes the second in the same thread. The read of a
/// read-modify-write precedes its write, and that of a wait its success. The elements of one vector access
/// are not related.
bool precedes(std::span<const Event>, EventId, EventId);

}  // namespace ptxmc
