#pragma once

#include <vector>

#include "solver/threads/counter_additions.hpp"
#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// A place in global memory to which threads write only what they have read from it plus a positive number.
/// This is a constant, or an atomic addition by one lane of a group for all of its lanes: at most their
/// number.
struct Counter {
  Additions additions;
  Bits initial;  ///< width 0: not known
  Bits most;     ///< 64 bits: the sum of all additions is at most so large
};

/// Assumes what holds of counters. Each value that is read is the initial value plus the amounts of different
/// writes, since dependencies and reads-from have no cycle (PTX ISA 8.7 § 8.10.4); so it lies between the
/// initial value and the sum of all additions, as long as this does not wrap around; what weak accesses read
/// from several writes (§ 8.10.3) must be the same. If all additions are atomic and morally strong with each
/// other, each reads what the one before it in coherence order has written (§ 8.10.3, § 8.10.5), so that the
/// ranges from the values that they read to those that they write are disjoint. Returns the counters all of
/// whose additions are atomic.
std::vector<Counter> assume_counters(OpenQuestions&);

/// Assumes of a counter all of whose additions are atomic what assume_counters does.
void assume_values(OpenQuestions&, const Counter&);

/// The condition (width 1) that an addition for which `value` was read is within the sum of all additions.
Bits is_within(const Counter&, const Bits& value, const Bits& amount);
/// The condition that two different atomic additions may have read these values: the second one reads at
/// least what the first one writes, or the other way round. Width 1.
Bits are_apart(const Bits& value, const Bits& amount, const Bits& other_value, const Bits& other_amount);

/// What a counter says: some threads of each CTA add to it once, and a read finds that all of them have.
struct FullCounter {
  const Event* read = nullptr;       ///< the read half of the addition
  const Event* observing = nullptr;  ///< the read that finds it; of the addition itself, or a later one
  Bits is_full;  ///< width 1: all threads have added, if `observing` is that of the addition all others
  std::vector<const Event*> resets = {};  ///< other writes to the counter, which follow all additions
};

}  // namespace ptxmc
