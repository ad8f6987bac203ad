#pragma once

#include <utility>
#include <vector>

#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// The order that a counter gives: what a thread does before it adds to the counter is before what a thread
/// does that has found that all have added. Additions synchronize: each observes all earlier ones (PTX ISA
/// 8.7 § 8.9.2), since each reads what the one before has written.
///
/// Barriers of a CTA extend this order to all of its threads: what a thread does before a barrier after which
/// a thread of its CTA adds, and what it does after a barrier before which one has found that all have added.
/// Barriers must be uniform.
class CounterOrder {
 public:
  CounterOrder(OpenQuestions&, FullCounter);

  /// The condition (width 1) that the thread adds.
  const Bits& adds() const { return counter_.read->condition; }
  /// The condition that what the thread does at a step is released before it adds, or a thread of its CTA
  /// does. It is in this order only if all threads add.
  Bits tells(unsigned step) const;
  /// The condition that a thread of the CTA has found that all have added, and that the thread has acquired,
  /// before a step, what the others have released.
  Bits knows_of_all(unsigned step) const;

 private:
  /// The step of a barrier of the CTA, and the condition that the thread executes it.
  using CtaBarrier = std::pair<unsigned, Bits>;

  Bits tells_itself(unsigned step) const;
  Bits knows_itself(unsigned step) const;
  bool is_before_all_additions(OpenQuestions&, const Event& barrier) const;
  bool is_behind_some_thread_that_knows(const OpenThread&, const Event& barrier) const;

  FullCounter counter_;
  bool releases_ = false, acquires_ = false;  // the accesses themselves
  std::vector<const Event*> fences_;
  std::vector<CtaBarrier> before_;  // behind which a thread of each CTA adds
  std::vector<CtaBarrier> after_;   // before which a thread of each CTA has found that all have
};

/// The orders of all counters of which a thread may find that all have added, by its own addition, or at the
/// end of one of these waits.
std::vector<CounterOrder> counter_orders(OpenQuestions&, const std::vector<FullCounter>& waits);

}  // namespace ptxmc
