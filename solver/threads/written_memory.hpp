#pragma once

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// Whether each read takes bytes that were written before: by the launch, by the thread itself, or by any
/// thread before a barrier. Barriers must be uniform, and no two threads may race.
bool are_reads_initialized(OpenQuestions&);

}  // namespace ptxmc
