#include "semantics/language/misuse.hpp"

#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

using Object = ObjectUse::Object;

bool is_at_cluster_barrier(const ObjectUse& own, Barrier::Kind kind) {
  return own.object == Object::cluster_barrier && own.kind == kind;
}

bool is_open_arrival(const ObjectUse* earlier) {
  return earlier != nullptr && earlier->kind == Barrier::Kind::arrive;
}

/// Whether two arrivals at a barrier of the CTA are different forms of the instruction. That one of them is a
/// reduction and the other is not is a misuse of the whole phase, whichever warps execute them.
bool are_different_forms(const ObjectUse& a, const ObjectUse& b) {
  if (is_reduction(a.kind) != is_reduction(b.kind)) return false;
  return a.kind != b.kind || a.has_count != b.has_count;
}

bool is_other_instruction(const ObjectUse& a, const ObjectUse& b) {
  return a.where.line != b.where.line || a.where.column != b.where.column;
}

/// A condition on an operation on an mbarrier, given the use and the state before it.
template <auto condition>
Bits of_mbarrier(const ObjectUse& own, const ObjectUse*) {
  if (!own.mbarrier) return Bits::boolean(false);
  const MbarrierUse& use = *own.mbarrier;
  return condition(use, use.word.width() == 0 ? MbarrierState() : mbarrier_state(use.word));
}

Bits is_in_range(const Bits& count) {
  return ~is_zero(count) & less_equal_unsigned(count, Bits(32, largest_mbarrier_count));
}

Bits is_out_of_range(const MbarrierUse& use, const MbarrierState& state) {
  Bits result = Bits::boolean(false);
  if (use.counts_arrivals) result = ~is_in_range(use.step.arrivals);
  if (use.word.width() == 0) return result;
  const Bits pending = state.pending.zero_extend(32) + use.step.increments;
  return result | less_unsigned(Bits(32, largest_mbarrier_count), pending) |
         less_unsigned(state.expected.zero_extend(32), use.step.drops);
}

Bits has_too_many_arrivals(const MbarrierUse& use, const MbarrierState& state) {
  if (use.word.width() == 0) return Bits::boolean(false);
  return less_unsigned(state.pending.zero_extend(32) + use.step.increments, use.step.arrivals);
}

/// Only an operation that counts bytes: memory without an object may hold any tx-count.
Bits has_invalid_transactions(const MbarrierUse& use, const MbarrierState& state) {
  if (use.word.width() == 0) return Bits::boolean(false);
  return ~is_zero(use.step.expects | use.step.completes) & ~has_valid_transactions(state, use.step);
}

Bits completes_wrongly(const MbarrierUse& use, const MbarrierState& state) {
  return use.must_not_complete ? completes_phase(state, use.step) : Bits::boolean(false);
}

/// A token is of the current phase, or of the one before.
Bits has_old_token(const MbarrierUse& use, const MbarrierState& state) {
  if (use.token.width() == 0) return Bits::boolean(false);
  const Bits later = state.phase - mbarrier_state(use.token).phase;
  return less_unsigned(Bits(MbarrierState::phase_width, 1), later);
}

Bits has_no_parity(const MbarrierUse& use, const MbarrierState&) {
  return use.parity.width() == 0 ? Bits::boolean(false) : less_unsigned(Bits(32, 1), use.parity);
}

template <Misuse misuse>
Bits has_wrong_operand(const ObjectUse& own, const ObjectUse*) {
  const bool is_this = own.object == Object::operand && own.of_operand == misuse;
  return is_this ? own.is_outside_of_range : Bits::boolean(false);
}

struct Row {
  UsePair pair;
  Misuse misuse;
  Bits (*condition)(const ObjectUse& own, const ObjectUse* other);
};

const Row table[] = {
    {UsePair::one_thread, Misuse::outside_membermask,
     [](const ObjectUse& own, const ObjectUse*) {
       return own.object == Object::lanes ? ~own.membermask.extract(own.lane, 1) : Bits::boolean(false);
     }},
    {UsePair::one_thread, Misuse::second_cluster_arrival,
     [](const ObjectUse& own, const ObjectUse* earlier) {
       return Bits::boolean(is_at_cluster_barrier(own, Barrier::Kind::arrive) && is_open_arrival(earlier));
     }},
    {UsePair::one_thread, Misuse::cluster_wait_without_arrival,
     [](const ObjectUse& own, const ObjectUse* earlier) {
       return Bits::boolean(is_at_cluster_barrier(own, Barrier::Kind::wait) && !is_open_arrival(earlier));
     }},
    {UsePair::aligned_turn, Misuse::exit_without_aligned,
     [](const ObjectUse& own, const ObjectUse* other) {
       return Bits::boolean(own.is_aligned && other == nullptr);
     }},
    {UsePair::aligned_turn, Misuse::other_aligned_instruction,
     [](const ObjectUse& own, const ObjectUse* other) {
       return Bits::boolean(other != nullptr && own.is_aligned && other->is_aligned &&
                            is_other_instruction(own, *other));
     }},
    {UsePair::warp_arrival, Misuse::aligned_beside_unaligned,
     [](const ObjectUse& own, const ObjectUse* other) {
       // Threads, and not warps, arrive at a barrier of the cluster.
       return Bits::boolean(own.object == Object::cta_barrier && other != nullptr &&
                            own.is_aligned != other->is_aligned);
     }},
    {UsePair::warp_arrival, Misuse::different_forms_in_warp,
     [](const ObjectUse& own, const ObjectUse* other) {
       return Bits::boolean(own.object == Object::cta_barrier && other != nullptr &&
                            are_different_forms(own, *other));
     }},
    {UsePair::phase, Misuse::reduction_beside_others,
     [](const ObjectUse& own, const ObjectUse* other) {
       return Bits::boolean(other != nullptr && is_reduction(own.kind) != is_reduction(other->kind));
     }},
    {UsePair::one_thread, Misuse::mbarrier_count_out_of_range, of_mbarrier<is_out_of_range>},
    {UsePair::one_thread, Misuse::mbarrier_too_many_arrivals, of_mbarrier<has_too_many_arrivals>},
    {UsePair::one_thread, Misuse::mbarrier_transactions_out_of_range, of_mbarrier<has_invalid_transactions>},
    {UsePair::one_thread, Misuse::mbarrier_must_not_complete, of_mbarrier<completes_wrongly>},
    {UsePair::one_thread, Misuse::mbarrier_phase_of_token, of_mbarrier<has_old_token>},
    {UsePair::one_thread, Misuse::mbarrier_parity, of_mbarrier<has_no_parity>},
    {UsePair::one_thread, Misuse::barrier_number, has_wrong_operand<Misuse::barrier_number>},
    {UsePair::one_thread, Misuse::thread_count, has_wrong_operand<Misuse::thread_count>},
    {UsePair::one_thread, Misuse::source_larger_than_copy,
     has_wrong_operand<Misuse::source_larger_than_copy>},
    {UsePair::one_thread, Misuse::no_mbarrier, has_wrong_operand<Misuse::no_mbarrier>},
    {UsePair::one_thread, Misuse::reduction_in_own_cta, has_wrong_operand<Misuse::reduction_in_own_cta>},
    {UsePair::one_thread, Misuse::bulk_store_size, has_wrong_operand<Misuse::bulk_store_size>},
    {UsePair::one_thread, Misuse::no_multimem_address, has_wrong_operand<Misuse::no_multimem_address>},
    {UsePair::one_thread, Misuse::cta_of_failed_request, has_wrong_operand<Misuse::cta_of_failed_request>},
    {UsePair::one_thread, Misuse::request_after_failure, has_wrong_operand<Misuse::request_after_failure>},
    {UsePair::one_thread, Misuse::incomplete_warp, has_wrong_operand<Misuse::incomplete_warp>},
    {UsePair::one_thread, Misuse::matrix_outside_of_shared,
     has_wrong_operand<Misuse::matrix_outside_of_shared>},
    {UsePair::one_thread, Misuse::different_matrix_operands,
     has_wrong_operand<Misuse::different_matrix_operands>},
    {UsePair::one_thread, Misuse::sparse_metadata, has_wrong_operand<Misuse::sparse_metadata>},
    {UsePair::one_thread, Misuse::incomplete_warpgroup, has_wrong_operand<Misuse::incomplete_warpgroup>},
    {UsePair::one_thread, Misuse::different_matrix_descriptors,
     has_wrong_operand<Misuse::different_matrix_descriptors>},
    {UsePair::one_thread, Misuse::product_without_fence, has_wrong_operand<Misuse::product_without_fence>},
    {UsePair::one_thread, Misuse::register_of_running_product,
     has_wrong_operand<Misuse::register_of_running_product>},
    {UsePair::one_thread, Misuse::tensor_columns, has_wrong_operand<Misuse::tensor_columns>},
    {UsePair::one_thread, Misuse::more_tensor_columns, has_wrong_operand<Misuse::more_tensor_columns>},
    {UsePair::one_thread, Misuse::second_allocating_warp, has_wrong_operand<Misuse::second_allocating_warp>},
    {UsePair::one_thread, Misuse::allocation_after_relinquish,
     has_wrong_operand<Misuse::allocation_after_relinquish>},
    {UsePair::one_thread, Misuse::no_tensor_allocation, has_wrong_operand<Misuse::no_tensor_allocation>},
    {UsePair::one_thread, Misuse::tensor_memory_not_allocated,
     has_wrong_operand<Misuse::tensor_memory_not_allocated>},
    {UsePair::one_thread, Misuse::tensor_memory_not_freed,
     has_wrong_operand<Misuse::tensor_memory_not_freed>},
    {UsePair::one_thread, Misuse::lanes_of_other_warp, has_wrong_operand<Misuse::lanes_of_other_warp>},
    {UsePair::one_thread, Misuse::different_tensor_operands,
     has_wrong_operand<Misuse::different_tensor_operands>},
    {UsePair::one_thread, Misuse::tensor_alignment, has_wrong_operand<Misuse::tensor_alignment>},
    {UsePair::one_thread, Misuse::no_peer_cta, has_wrong_operand<Misuse::no_peer_cta>},
    {UsePair::one_thread, Misuse::different_cta_groups, has_wrong_operand<Misuse::different_cta_groups>},
    {UsePair::one_thread, Misuse::tensor_memory_in_use, has_wrong_operand<Misuse::tensor_memory_in_use>},
};

}  // namespace

ObjectUse use_of(const Barrier& barrier) {
  ObjectUse use;
  use.kind = barrier.kind;
  use.is_aligned = barrier.aligned;
  use.has_count = barrier.count.has_value();
  if (barrier.group == Barrier::Group::cluster) use.object = Object::cluster_barrier;
  if (barrier.group == Barrier::Group::warp) use.object = Object::lanes;
  if (barrier.group == Barrier::Group::warp) use.membermask = barrier.id;
  return use;
}

ObjectUse use_of_lanes(const Bits& membermask, unsigned lane) {
  ObjectUse use;
  use.object = Object::lanes;
  use.membermask = membermask;
  use.lane = lane;
  return use;
}

ObjectUse use_of(MbarrierUse of_mbarrier) {
  ObjectUse use;
  use.object = Object::mbarrier;
  use.mbarrier = std::make_shared<const MbarrierUse>(std::move(of_mbarrier));
  return use;
}

ObjectUse use_of_operand(Misuse misuse, const Bits& is_outside_of_range) {
  ObjectUse use;
  use.object = Object::operand;
  use.of_operand = misuse;
  use.is_outside_of_range = is_outside_of_range;
  return use;
}

namespace {

/// Visits each value of a use that may be a term.
template <class Visit>
void visit_values(MbarrierUse& use, const Visit& visit) {
  MbarrierStep& step = use.step;
  for (Bits* value : {&use.word, &step.increments, &step.expects, &step.drops, &step.arrivals,
                      &step.completes, &use.token, &use.parity})
    if (value->width() != 0) visit(*value);
}

}  // namespace

std::vector<Bits> values_in(const ObjectUse& use) {
  std::vector<Bits> result;
  (void)with_values(use, [&](const Bits& value) {
    result.push_back(value);
    return value;
  });
  return result;
}

ObjectUse with_values(ObjectUse use, const std::function<Bits(const Bits&)>& replacement) {
  if (use.membermask.width() != 0) use.membermask = replacement(use.membermask);
  if (use.is_outside_of_range.width() != 0) use.is_outside_of_range = replacement(use.is_outside_of_range);
  if (!use.mbarrier) return use;
  MbarrierUse replaced = *use.mbarrier;
  visit_values(replaced, [&](Bits& value) { value = replacement(value); });
  use.mbarrier = std::make_shared<const MbarrierUse>(std::move(replaced));
  return use;
}

std::vector<PossibleMisuse> possible_misuses(UsePair pair, const ObjectUse& own, const ObjectUse* other) {
  std::vector<PossibleMisuse> result;
  for (const Row& row : table) {
    if (row.pair != pair) continue;
    Bits condition = row.condition(own, other);
    if (!condition.is_false()) result.push_back({row.misuse, std::move(condition)});
  }
  return result;
}

std::optional<PossibleMisuse> misuse(UsePair pair, const ObjectUse& own, const ObjectUse* other) {
  auto all = possible_misuses(pair, own, other);
  return all.empty() ? std::nullopt : std::optional(std::move(all.front()));
}

bool is_divergence(Misuse misuse) {
  return misuse == Misuse::other_aligned_instruction || misuse == Misuse::exit_without_aligned ||
         misuse == Misuse::aligned_beside_unaligned || misuse == Misuse::different_forms_in_warp;
}

std::string_view sentence_of(Misuse misuse) {
  switch (misuse) {
    case Misuse::outside_membermask:
      return "the behavior is undefined if the executing thread is not in the membermask "
             "(PTX ISA 8.7 § 9.7.9.6, § 9.7.13)";
    case Misuse::second_cluster_arrival:
      return "each thread must arrive at barrier.cluster exactly once before the barrier completes, and "
             "this one has not waited since it arrived (PTX ISA 8.7 § 9.7.13.3)";
    case Misuse::cluster_wait_without_arrival:
      return "barrier.cluster.wait waits for a phase at which the thread has arrived, and this one has not "
             "(PTX ISA 8.7 § 9.7.13.3)";
    case Misuse::reduction_beside_others:
      return "barrier.red should not be intermixed with barrier.sync or barrier.arrive using the same active "
             "barrier; execution in this case is unpredictable (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::other_aligned_instruction:
    case Misuse::exit_without_aligned:
      return "all threads of the warp must execute the same aligned instruction (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::aligned_beside_unaligned:
      return "a warp must not arrive at a barrier with some threads at an aligned instruction and others at "
             "one that is not (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::different_forms_in_warp:
      return "different warps, and not threads of one warp, may execute different forms of barrier (sync, "
             "arrive or red, with or without a thread count) at one barrier (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::barrier_number:
      return "the number of a barrier must be from 0 to 15 (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::thread_count:
      return "the thread count of a barrier must be a multiple of the warp size, and for barrier.arrive "
             "not 0 (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::different_thread_counts:
      return "the warps that meet at a barrier must use the same thread count, and without one all "
             "threads of the CTA participate (PTX ISA 8.7 § 9.7.13.1)";
    case Misuse::mbarrier_count_out_of_range:
      return "a count of an mbarrier must be from 1 to 2^20 - 1 (PTX ISA 8.7 § 9.7.13.15.2)";
    case Misuse::mbarrier_too_many_arrivals:
      return "more threads arrive at the mbarrier than its current phase has pending, and the pending count "
             "has the minimum 0 (PTX ISA 8.7 § 9.7.13.15.2)";
    case Misuse::mbarrier_transactions_out_of_range:
      return "the tx-count of an mbarrier must be from -(2^20 - 1) to 2^20 - 1 (PTX ISA 8.7 § 9.7.13.15.2)";
    case Misuse::mbarrier_must_not_complete:
      return "an operation with .noComplete must not complete the phase of the mbarrier "
             "(PTX ISA 8.7 § 9.7.13.15.13)";
    case Misuse::mbarrier_phase_of_token:
      return "a wait is valid for the current phase of the mbarrier and the one before, and the state is of "
             "an earlier phase (PTX ISA 8.7 § 9.7.13.15.16)";
    case Misuse::mbarrier_parity:
      return "the valid values of the phase parity are 0 and 1 (PTX ISA 8.7 § 9.7.13.15.16)";
    case Misuse::no_mbarrier:
      return "any mbarrier operation except mbarrier.init on memory that holds no mbarrier object is "
             "undefined, and so is one that is restricted to shared::cta at a generic address in another CTA "
             "(PTX ISA 8.7 § 9.7.13.15)";
    case Misuse::access_to_mbarrier:
      return "an access to a valid mbarrier object that is no mbarrier operation is undefined, before "
             "mbarrier.inval has ended its life (PTX ISA 8.7 § 9.7.13.15)";
    case Misuse::second_mbarrier_init:
      return "mbarrier.init on memory that holds a valid mbarrier object is undefined "
             "(PTX ISA 8.7 § 9.7.13.15.9)";
    case Misuse::reduction_in_own_cta:
      return "an asynchronous reduction in shared memory must be in that of another CTA of the cluster; "
             "st.async must be in a cluster of more than one CTA, with its mbarrier in the CTA of its "
             "destination (PTX ISA 8.7 § 9.7.13.7, § 9.7.9.12)";
    case Misuse::source_larger_than_copy:
      return "cp.async with a src-size larger than its cp-size is undefined (PTX ISA 8.7 § 9.7.9.25.3.1)";
    case Misuse::bulk_store_size:
      return "the size of st.bulk must be a multiple of 8, and that of a bulk copy, reduction or prefetch a "
             "multiple of 16 (PTX ISA 8.7 § 9.7.9.13, § 9.7.9.25.4)";
    case Misuse::no_multimem_address:
      return "the address of a multimem operation must be a multimem address (PTX ISA 8.7 § 9.7.9.14)";
    case Misuse::cta_of_failed_request:
      return "clusterlaunchcontrol.query_cancel.get_first_ctaid is undefined if the request has failed "
             "(PTX ISA 8.7 § 9.7.13.18)";
    case Misuse::request_after_failure:
      return "a further clusterlaunchcontrol.try_cancel is undefined after the CTA has observed that one has "
             "failed (PTX ISA 8.7 § 9.7.13.17)";
    case Misuse::incomplete_warp:
      return "an instruction on matrices is undefined if a thread of the warp has exited "
             "(PTX ISA 8.7 § 9.7.14.5)";
    case Misuse::matrix_outside_of_shared:
      return "a generic address of ldmatrix, stmatrix or tcgen05.alloc must be in shared memory "
             "(PTX ISA 8.7 § 9.7.14.5.15, § 9.7.16.6.1)";
    case Misuse::different_matrix_operands:
      return "all threads of the warp must give the same address and stride to wmma.load or wmma.store, the "
             "stride must not be below its default, and a fragment must be one of a matrix of the same "
             "shape, layout and element type (PTX ISA 8.7 § 9.7.14.4.1, § 9.7.14.4.3)";
    case Misuse::sparse_metadata:
      return "the metadata of a sparse matrix must name different elements of a chunk, with "
             ".sp::ordered_metadata in increasing order (PTX ISA 8.7 § 9.7.14.6.1)";
    case Misuse::incomplete_warpgroup:
      return "all threads of the warpgroup must execute the same wgmma instruction, and one has exited or "
             "does not exist (PTX ISA 8.7 § 9.7.15.5.2)";
    case Misuse::different_matrix_descriptors:
      return "the contents of a matrix descriptor must be the same in all warps of the warpgroup "
             "(PTX ISA 8.7 § 9.7.15.5.2)";
    case Misuse::product_without_fence:
      return "a wgmma.fence must be between wgmma.mma_async and earlier accesses to its registers, and "
             "before the first one, except between accumulators of the same shape (PTX ISA 8.7 § 9.7.15.7.1)";
    case Misuse::register_of_running_product:
      return "the registers of wgmma.mma_async must not be accessed before a wgmma.wait_group has waited for "
             "the group with it (PTX ISA 8.7 § 9.7.15.7.3)";
    case Misuse::tensor_columns:
      return "the number of columns of tensor memory must be a power of 2 from 32 to 512 "
             "(PTX ISA 8.7 § 9.7.16.6.1)";
    case Misuse::more_tensor_columns:
      return "the number of columns must not increase from one tcgen05.alloc of a CTA to the next "
             "(PTX ISA 8.7 § 9.7.16.6.1)";
    case Misuse::second_allocating_warp:
      return "tensor memory must be allocated by a single warp of the CTA (PTX ISA 8.7 § 9.7.16.1.2)";
    case Misuse::allocation_after_relinquish:
      return "tcgen05.alloc is illegal after a thread of the CTA has executed "
             "tcgen05.relinquish_alloc_permit (PTX ISA 8.7 § 9.7.16.6.1)";
    case Misuse::no_tensor_allocation:
      return "the address and the number of columns of tcgen05.dealloc must be those of an earlier "
             "allocation of tensor memory (PTX ISA 8.7 § 9.7.16.6.1)";
    case Misuse::tensor_memory_not_allocated:
      return "tensor memory must be allocated before it is accessed, and not be freed (PTX ISA 8.7 § "
             "9.7.16.1.2)";
    case Misuse::tensor_memory_not_freed:
      return "tensor memory that a CTA has allocated must be freed before it ends (PTX ISA 8.7 § 9.7.16.6.1)";
    case Misuse::lanes_of_other_warp:
      return "a warp can only access the quarter of the lanes of tensor memory that has its number in the "
             "warpgroup (PTX ISA 8.7 § 9.7.16.7.1)";
    case Misuse::different_tensor_operands:
      return "all threads of the warp must give the same address or number of columns "
             "(PTX ISA 8.7 § 9.7.16.6.1, § 9.7.16.7.3)";
    case Misuse::tensor_alignment:
      return "the lane of an address of tensor memory must be aligned as the instruction requires "
             "(PTX ISA 8.7 § 9.7.16.8.3, § 9.7.16.9.5)";
    case Misuse::no_peer_cta:
      return "an instruction with .cta_group::2 is for the two CTAs of a pair, and the cluster has no peer "
             "of this CTA (PTX ISA 8.7 § 9.7.16.4.1)";
    case Misuse::different_cta_groups:
      return "all tcgen05 instructions of a function must have the same .cta_group (PTX ISA 8.7 § 9.7.16.4; "
             "the assembler refuses others)";
    case Misuse::tensor_memory_in_use:
      return "tensor memory must not be freed before the operations that access it are complete "
             "(PTX ISA 8.7 § 9.7.16.5.1)";
  }
  return {};
}

std::optional<Misuse> misuse_of_memory(MbarrierAccess own, MbarrierAccess earlier, bool is_write) {
  using enum MbarrierAccess;
  const bool holds_object = earlier == init || earlier == operation;
  if (own == none) return holds_object ? std::optional(Misuse::access_to_mbarrier) : std::nullopt;
  if (own == init)
    return holds_object && is_write ? std::optional(Misuse::second_mbarrier_init) : std::nullopt;
  return holds_object ? std::nullopt : std::optional(Misuse::no_mbarrier);
}

bool is_reduction(Barrier::Kind kind) {
  return kind == Barrier::Kind::reduce_popc || kind == Barrier::Kind::reduce_and ||
         kind == Barrier::Kind::reduce_or;
}

}  // namespace ptxmc
