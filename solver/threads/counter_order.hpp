#pragma once

#include <cstdint>
#include <vector>

#include "solver/threads/broadcasts.hpp"
#include "solver/threads/open_counters.hpp"

namespace ptxmc {

/// The order that a counter gives: what a thread does before it adds to the counter is before what a thread
/// does that has found that all have added. Additions synchronize: each observes all earlier ones (PTX ISA
/// 8.7 § 8.9.2), since each reads what the one before has written.
///
/// Barriers of a CTA extend this order to all of its threads: what a thread does before a barrier after which
/// a thread of its CTA adds, and what it does after a barrier before which one has found that all have added.
/// That it has found it may also be known from what it has broadcast. Barriers must be uniform.
class CounterOrder {
 public:
  enum class Kind : std::uint8_t {
    synchronization,  ///< additions release, and what finds that all have added acquires
    /// A thread executes a fence.sc before an addition, perhaps that of another thread behind a barrier, and
    /// one after it has found, perhaps from another thread, that all have added. These are in Fence-SC order
    /// (PTX ISA 8.7 § 8.9.3): in the other order, what has observed the additions would precede them in
    /// causality order (§ 8.10.6).
    fences_sc,
  };
  CounterOrder(Kind, OpenQuestions&, FullCounter, const std::vector<Broadcast>&);

  /// The condition (width 1) that the thread adds.
  const Bits& adds() const { return counter_.read->condition; }
  /// The condition that what the thread does at a step is released before it adds, or a thread of its CTA
  /// does. It is in this order only if all threads add.
  Bits tells(unsigned step) const;
  /// The condition that a thread of the CTA has found that all have added, and that the thread has acquired,
  /// before a step, what the others have released.
  Bits knows_of_all(unsigned step) const;
  /// Whether one access is half of an addition, and the other resets the counter: then it is behind all
  /// additions in causality order (§ 8.9.5), since an addition before it in its thread, or before a barrier
  /// that its thread has passed, has observed all others.
  bool resets(const Event& first, const Event& second) const;

 private:
  /// A barrier of the CTA.
  struct CtaBarrier {
    unsigned step = 0;
    Bits condition;            ///< width 1: the thread executes it
    bool needs_fence = false;  ///< a fence of the thread itself must be between its access and the barrier
  };

  void find_fences(const OpenThread&);
  Bits fences_between(unsigned first, unsigned second) const;
  Bits tells_itself(unsigned step) const;
  Bits finds(unsigned step) const;
  Bits knows_itself(unsigned step) const;
  Bits passes(const CtaBarrier&, unsigned first, unsigned second) const;
  void add_before(OpenQuestions&, const Event& barrier);
  void add_after(OpenQuestions&, const Event& barrier, const std::vector<Broadcast>&);
  bool add_after(OpenQuestions&, const Event& barrier, const std::vector<Broadcast>&, const Bits& knows,
                 bool needs_fence);

  const Kind kind_;
  FullCounter counter_;
  bool releases_ = false, acquires_ = false;  // the accesses themselves
  std::vector<const Event*> fences_;
  std::vector<CtaBarrier> before_;  // behind which a thread of each CTA adds
  std::vector<CtaBarrier> after_;   // before which a thread of the CTA has found that all have
};

/// The orders that these counters give.
std::vector<CounterOrder> counter_orders(OpenQuestions&, const std::vector<FullCounter>&,
                                         const std::vector<Broadcast>&);

}  // namespace ptxmc
