#pragma once

#include "solver/threads/open_thread.hpp"

namespace ptxmc {

/// Whether a value is the same for all threads of a CTA, whatever they read.
bool is_same_in_cta(const OpenThread&, const Bits& value);

/// A condition (width 1) under which some thread of the CTA writes the bytes of a read: the one whose
/// position follows from the location. `is_performed` says when a thread performs the write. False if
/// location or condition of the write are not known, since they may be values that the other thread reads.
Bits is_written_by_some_thread(const OpenThread&, const Event& write, const Bits& is_performed,
                               const Event& read);

}  // namespace ptxmc
