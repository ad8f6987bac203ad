#pragma once

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// How many threads satisfy a condition (width 1) at most; 64 bits, the same for all threads. If they all
/// have different numbers below n, such as the index of an element, there are at most n; in any case at most
/// all.
Bits most_threads_with(OpenQuestions&, const Bits& condition);

}  // namespace ptxmc
