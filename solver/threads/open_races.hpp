#pragma once

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// Whether no two threads race: PTX ISA 8.7 § 8.7.1, § 8.7.2. Barriers must be uniform.
bool are_races_excluded(OpenQuestions&);

}  // namespace ptxmc
