#pragma once

#include <span>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether the two events are of one thread, or of one asynchronous operation; not initial writes.
bool are_of_one_agent(const Event&, const Event&);

/// Whether the first event belongs to an earlier instruction of the same thread. Asynchronous operations are
/// not in program order.
bool is_earlier_instruction(const Event&, const Event&);

/// Whether the first event is the success of the wait (EventKind::wait) that the second one reads for.
bool is_success_of(const Event& wait, const Event& read);

/// Whether the event accesses a cell of tensor memory.
bool is_tensor_cell(const Event&);

/// Whether the events access cells of tensor memory by asynchronous operations that are performed in the
/// order in which they are started: PTX ISA 8.7 § 9.7.16.5.2. Products of different threads that access the
/// same cells have the same accumulator and shape, or the launch is not unfolded.
bool are_pipeline_pair(const Event&, const Event&);

/// Whether the first event is of the thread itself, and the second one of an asynchronous operation that a
/// later instruction of the thread starts. An access to a cell of tensor memory only follows the fences
/// TensorFence::after of its thread, and what they follow.
bool is_before_start(const Event&, const Event&);

/// Whether both events are of one asynchronous operation, in this order.
bool is_earlier_in_strand(std::span<const Event>, EventId, EventId);

/// Whether (width 1) an operation of an asynchronous operation is complete before another event
/// because that event waits for it: Event::completes.
Bits is_complete_before(const Event&, const Event&);

/// Whether the first event is of an asynchronous operation in Event::started of the second one.
bool is_started_before(const Event&, const Event&);

/// Program order (PTX ISA 8.7 § 8.2): the first event precedes the second in the same thread. The read of a
/// read-modify-write precedes its write, and that of a wait its success. The elements of one vector access
/// are not related.
bool precedes(std::span<const Event>, EventId, EventId);

}  // namespace ptxmc
