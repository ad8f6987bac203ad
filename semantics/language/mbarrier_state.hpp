#pragma once

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The contents of an mbarrier object: PTX ISA 8.7 § 9.7.13.15.2. The object is opaque to programs, so the
/// layout of its 64 bits is ours: the members in this order, from bit 0 up.
struct MbarrierState {
  static constexpr unsigned count_width = 20, transactions_width = 21, phase_width = 3;

  Bits pending;       ///< arrivals that the current phase still needs, 20 bits
  Bits expected;      ///< arrivals that the next phase needs, 20 bits
  Bits transactions;  ///< tx-count, signed, 21 bits
  Bits phase;         ///< the number of completed phases modulo 8, 3 bits
};

/// The largest count, and the largest tx-count without its sign: PTX ISA 8.7 § 9.7.13.15.2.
constexpr std::uint64_t largest_mbarrier_count = (std::uint64_t{1} << MbarrierState::count_width) - 1;

MbarrierState mbarrier_state(const Bits& word);  ///< of 64 bits
Bits word_of(const MbarrierState&);              ///< 64 bits

/// The state after `mbarrier.init` with a count of 32 bits: § 9.7.13.15.9.
MbarrierState initial_mbarrier_state(const Bits& count);

/// One step of an mbarrier object, made of the operations of § 9.7.13.15.5 to § 9.7.13.15.7 in this order.
/// Counts have 32 bits and are 0 unless given.
struct MbarrierStep {
  Bits increments = Bits(32, 0);  ///< added to the pending count: cp.async.mbarrier.arrive without .noinc
  Bits expects = Bits(32, 0);     ///< expect-tx: added to the tx-count
  Bits drops = Bits(32, 0);       ///< taken from the expected count: arrive_drop
  Bits arrivals = Bits(32, 0);    ///< arrive-on: taken from the pending count
  Bits completes = Bits(32, 0);   ///< complete-tx: taken from the tx-count
  /// Whether the step completes the phase if nothing is left to wait for, as arrive-on and complete-tx do.
  /// An expect-tx alone does not (§ 9.7.13.15.5.1).
  bool may_complete = false;
};

/// Whether the phase is complete after the step: no arrival and no transaction is pending (§ 9.7.13.15.6).
/// Width 1.
Bits completes_phase(const MbarrierState&, const MbarrierStep&);

/// The state after the step. When the phase is complete, the next one begins in the same step.
MbarrierState after(const MbarrierState&, const MbarrierStep&);

/// Whether the tx-count after the step is in its range; width 1.
Bits has_valid_transactions(const MbarrierState&, const MbarrierStep&);

}  // namespace ptxmc
