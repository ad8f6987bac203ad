#pragma once

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// Assumes that a read which follows a write of the same bytes in its own thread returns the written value,
/// if all writes of other threads to these bytes are separated from both by barriers that all threads
/// execute: PTX ISA 8.7 § 8.10.6. Only reads that decide about an address or a condition are considered.
/// Barriers must be uniform.
void assume_own_reads(OpenQuestions&);

}  // namespace ptxmc
