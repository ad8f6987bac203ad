#pragma once

#include <vector>

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// Assumes what holds of counters: places in global memory to which a thread writes only what it has read
/// from them plus a positive constant. Each value that is read is then the initial value plus the constants
/// of different writes, since dependencies and reads-from have no cycle (PTX ISA 8.7 § 8.10.4); so it lies
/// between the initial value and the sum of all additions, as long as this does not wrap around; what weak
/// accesses read from several writes (§ 8.10.3) must be the same. If all additions are atomic and morally
/// strong with each other, each reads what the one before it in coherence order has written (§ 8.10.3,
/// § 8.10.5), so that the values that they read are different.
void assume_counters(OpenQuestions&);

/// An atomic addition to such a counter. Each thread adds at most once, and the same.
struct CountingAddition {
  const Event* read = nullptr;  ///< its read half
  Bits is_last;                 ///< width 1: what it reads says that all other threads have added before
};

/// The additions to counters that may tell that they are the last ones.
std::vector<CountingAddition> counting_additions(const OpenThread&);

}  // namespace ptxmc
