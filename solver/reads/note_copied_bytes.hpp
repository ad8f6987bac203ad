#pragma once

#include <span>

#include "model/program/event.hpp"

namespace ptxmc {

/// Whether a read may take a byte without a value: some memory has unknown initial content, or is discarded,
/// or a thread reads private memory that may be unwritten.
bool may_lack_values(const EventStructure&);

/// Numbers the events (Event::unfolded) and finds out which bytes the threads copy, and which they use
/// otherwise. Of the violations `uninitialized`, those remain where a thread uses a byte of private memory
/// without a value, or where no byte that the instruction reads has been written.
///
/// It is for the events of all threads as unfolded, with their initial writes, where each read returns an
/// unknown of its own. `used` are further values that the threads use.
void note_copied_bytes(EventStructure&, std::span<const Bits> used = {});

/// Whether the launch does not determine the initial content of these bytes of memory.
bool has_unknown_content(const EventStructure&, const Event& initial);

}  // namespace ptxmc
