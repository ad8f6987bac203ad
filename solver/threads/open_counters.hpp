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

/// What a counter says: some threads of each CTA add to it once, and a read finds that all of them have.
struct FullCounter {
  const Event* read = nullptr;       ///< the read half of the addition
  const Event* observing = nullptr;  ///< the read that finds it; of the addition itself, or a later one
  Bits is_full;  ///< width 1: all threads have added, if `observing` is that of the addition all others
};

/// The counters of which a thread may find by its own addition that it is the last one.
std::vector<FullCounter> counters_with_last_addition(const OpenThread&);

}  // namespace ptxmc
