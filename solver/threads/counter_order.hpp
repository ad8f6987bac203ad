#pragma once

#include <vector>

#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// The order that a counter gives: what a thread does before it adds to the counter is before what the thread
/// does that finds, by its own addition, that all have added. Such additions synchronize: each addition
/// observes all earlier ones (PTX ISA 8.7 § 8.9.2), since each reads what the one before has written.
class CounterOrder {
 public:
  CounterOrder(const OpenThread&, CountingAddition);

  /// The condition (width 1) that the thread adds.
  const Bits& adds() const { return addition_.read->condition; }
  /// The condition that a thread releases what it has done at a step before it adds; it adds.
  Bits tells(unsigned step) const;
  /// The condition that a thread has added last, and has acquired before a step what all others have
  /// released.
  Bits knows_of_all(unsigned step) const;

 private:
  CountingAddition addition_;
  bool releases_ = false, acquires_ = false;  // the addition itself
  std::vector<const Event*> fences_;
};

/// The orders of all counters.
std::vector<CounterOrder> counter_orders(const OpenThread&);

}  // namespace ptxmc
