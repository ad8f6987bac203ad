#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/language/instruction.hpp"
#include "semantics/language/mbarrier_state.hpp"

namespace ptxmc {

/// What an instruction does with an mbarrier object.
struct MbarrierUse {
  Bits word = {};  ///< the object before the use, 64 bits; width 0: `mbarrier.init`, which does not read it
  MbarrierStep step = {};          ///< of `mbarrier.init`: `arrivals` is its count
  bool counts_arrivals = false;    ///< the instruction has a count of arrivals
  bool must_not_complete = false;  ///< `.noComplete`
  Bits token = {};                 ///< of a wait for the phase of a token: 64 bits
  Bits parity = {};                ///< of a wait for a phase by its parity: 32 bits
};

enum class Misuse : std::uint8_t;

/// A use of a synchronization object by a thread: the thread executes a barrier, an exchange between the
/// lanes of its warp, or an operation on an mbarrier. An operand outside of its range counts as a use, too.
struct ObjectUse {
  enum class Object : std::uint8_t { lanes, cta_barrier, cluster_barrier, mbarrier, operand };
  Object object = Object::cta_barrier;
  Barrier::Kind kind = Barrier::Kind::sync;
  bool is_aligned = false;
  bool has_count = false;     ///< of a barrier of the CTA: the instruction gives a thread count
  SourcePosition where = {};  ///< of the instruction in the source: the same in all threads and calls
  Bits membermask = {};       ///< of lanes: 32 bits
  unsigned lane = 0;          ///< of the thread in its warp
  std::shared_ptr<const MbarrierUse> mbarrier = {};
  Misuse of_operand = {};         ///< of an operand: the misuse that its range excludes
  Bits is_outside_of_range = {};  ///< of an operand: width 1
};

/// `where` and `lane` are left to the caller.
ObjectUse use_of(const Barrier&);
/// The use of the lanes in a membermask of 32 bits.
ObjectUse use_of_lanes(const Bits& membermask, unsigned lane);
ObjectUse use_of(MbarrierUse);
/// The use of an operand, which is a misuse if it is outside of its range (width 1).
ObjectUse use_of_operand(Misuse, const Bits& is_outside_of_range);

/// The values in a use that may be terms.
std::vector<Bits> values_in(const ObjectUse&);
/// The use with each of these values replaced.
ObjectUse with_values(ObjectUse, const std::function<Bits(const Bits&)>& replacement);

/// What makes two uses a pair.
enum class UsePair : std::uint8_t {
  one_thread,    ///< the uses of one object by one thread, one directly after the other
  aligned_turn,  ///< the n-th aligned uses of two threads of one warp
  warp_arrival,  ///< the uses with which two threads take part in one arrival of their warp at a barrier
  phase,         ///< two arrivals in one phase of a barrier
};

/// A use of barriers and exchanges that the manual leaves undefined.
enum class Misuse : std::uint8_t {
  outside_membermask,      ///< § 9.7.9.6, § 9.7.13.2, § 9.7.13.9, § 9.7.13.10, § 9.7.13.12, § 9.7.13.14
  second_cluster_arrival,  ///< § 9.7.13.3
  cluster_wait_without_arrival,        ///< § 9.7.13.3
  reduction_beside_others,             ///< § 9.7.13.1
  other_aligned_instruction,           ///< § 9.7.13.1, § 9.7.13.3
  exit_without_aligned,                ///< § 9.7.13.1, § 9.7.13.3
  aligned_beside_unaligned,            ///< § 9.7.13.1
  different_forms_in_warp,             ///< § 9.7.13.1
  barrier_number,                      ///< § 9.7.13.1
  thread_count,                        ///< § 9.7.13.1
  different_thread_counts,             ///< § 9.7.13.1; BarrierPhase::is_misused
  mbarrier_count_out_of_range,         ///< § 9.7.13.15.2
  mbarrier_too_many_arrivals,          ///< § 9.7.13.15.2
  mbarrier_transactions_out_of_range,  ///< § 9.7.13.15.2
  mbarrier_must_not_complete,          ///< § 9.7.13.15.13
  mbarrier_phase_of_token,             ///< § 9.7.13.15.16
  mbarrier_parity,                     ///< § 9.7.13.15.16
  no_mbarrier,                         ///< § 9.7.13.15
  access_to_mbarrier,                  ///< § 9.7.13.15
  second_mbarrier_init,                ///< § 9.7.13.15.9
  reduction_in_own_cta,                ///< § 9.7.13.7, § 9.7.9.25.4.2
  source_larger_than_copy,             ///< § 9.7.9.25.3.1
  bulk_store_size,                     ///< § 9.7.9.13, § 9.7.9.25.4
  no_multimem_address,                 ///< § 9.7.9.14
  cta_of_failed_request,               ///< § 9.7.13.18
  request_after_failure,               ///< § 9.7.13.17
  incomplete_warp,                     ///< § 9.7.14
  matrix_outside_of_shared,            ///< § 9.7.14.5.15, § 9.7.14.5.16
  different_matrix_operands,           ///< § 9.7.14.4.3, § 9.7.14.4.4
  sparse_metadata,                     ///< § 9.7.14.6.1
  incomplete_warpgroup,                ///< § 9.7.15.5.2
  different_matrix_descriptors,        ///< § 9.7.15.5.2
  product_without_fence,               ///< § 9.7.15.7.1
  register_of_running_product,         ///< § 9.7.15.7.3
  tensor_columns,                      ///< § 9.7.16.6.1
  more_tensor_columns,                 ///< § 9.7.16.6.1
  second_allocating_warp,              ///< § 9.7.16.1.2
  allocation_after_relinquish,         ///< § 9.7.16.6.1
  no_tensor_allocation,                ///< § 9.7.16.6.1
  tensor_memory_not_allocated,         ///< § 9.7.16.1.2
  tensor_memory_not_freed,             ///< § 9.7.16.6.1
  lanes_of_other_warp,                 ///< § 9.7.16.7.1
  different_tensor_operands,           ///< § 9.7.16.7.3
  tensor_alignment,                    ///< § 9.7.16.9.5
  no_peer_cta,                         ///< § 9.7.16.4.1
  different_cta_groups,                ///< § 9.7.16.4
  tensor_memory_in_use,                ///< § 9.7.16.5
};

/// Whether the verdict on the misuse is `divergence`: the threads of a warp execute different barrier
/// instructions where they must not. The verdict on the others is `undefined`.
bool is_divergence(Misuse);

/// The sentence of the manual about the misuse, with its section in PTX ISA 8.7. The subject of the sentence
/// is the instruction.
std::string_view sentence_of(Misuse);

/// A misuse, and the condition under which it occurs.
struct PossibleMisuse {
  Misuse misuse;
  Bits condition;  ///< width 1, not constant false
};

/// The table of misuses: whether a use is a misuse together with another one. `other` may be null. It is then
/// the first use of the object by the thread (`one_thread`), or the other thread has exited instead
/// (`aligned_turn`). `one_thread`: `other` is the earlier use.
std::optional<PossibleMisuse> misuse(UsePair, const ObjectUse& own, const ObjectUse* other);
/// All that it may be: the first whose condition holds is the one that `misuse` gives for known values.
std::vector<PossibleMisuse> possible_misuses(UsePair, const ObjectUse& own, const ObjectUse* other);

/// The misuse that an access follows another one at the same memory: a read takes its value from the other
/// access, a write replaces its value. `earlier` is an initial write too; it holds an object if the memory is
/// declared as one (MbarrierAccess::init).
std::optional<Misuse> misuse_of_memory(MbarrierAccess own, MbarrierAccess earlier, bool is_write);

/// `barrier.red`.
bool is_reduction(Barrier::Kind);

}  // namespace ptxmc
