#include "model/relations/base_sets.hpp"

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"

namespace ptxmc {

bool is_initial(const Event& event) { return event.kind == EventKind::initial_write; }
bool is_fence(const Event& event) { return event.kind == EventKind::fence; }
bool is_proxy_fence(const Event& event) { return is_fence(event) && event.fence.is_proxy_fence; }
bool is_barrier(const Event& event) {
  return event.kind == EventKind::barrier && !event.barrier.gathers_warp();
}
bool is_wait(const Event& event) { return event.kind == EventKind::wait; }

bool is_weak(const Event& event) {
  const Access& access = event.access;
  return event.is_memory_access() && access.sem == Sem::weak && !access.is_volatile && !access.is_mmio;
}

namespace {

bool is_memory_fence(const Event& event) { return is_fence(event) && !event.fence.is_proxy_fence; }
bool is_arrival(const Event& event) {
  return is_barrier(event) && event.barrier.kind == Barrier::Kind::arrive;
}

bool is_in_tensor_memory(const Event& event) {
  return event.is_memory_access() && event.access.space == StateSpace::tensor;
}

bool accesses_mbarrier(const Event& event, MbarrierAccess how) {
  return event.is_memory_access() && event.access.mbarrier == how;
}
/// In a read-modify-write the read acquires and the write releases.
bool acquires(const Event& event) {
  const Sem sem = event.access.sem;
  return (event.is_read() || is_wait(event)) &&
         (sem == Sem::acquire || sem == Sem::acq_rel || sem == Sem::sc);
}
bool releases(const Event& event) {
  const Sem sem = event.access.sem;
  return event.is_write() && (sem == Sem::release || sem == Sem::acq_rel || sem == Sem::sc);
}
/// The read of a compare-and-swap of C++ with this opcode, which names the order of a failure.
bool fails_as(const Event& event, std::string_view opcode) {
  return event.is_read() && event.instruction != nullptr && event.instruction->form != nullptr &&
         event.instruction->form->line->opcode == opcode;
}
bool is_relaxed(const Event& event) {
  return event.is_memory_access() && !is_weak(event) && !acquires(event) && !releases(event);
}

bool fences(const Event& event, Sem sem) { return is_fence(event) && event.fence.sem == sem; }

/// Whether the event's instruction is newer than this version (75 for PTX ISA 7.5). A barrier of a CTA is
/// never newer: `.cta` is only a later spelling (§ 9.7.13.1).
template <PtxVersion version>
bool is_later_than(const Event& event) {
  if (is_barrier(event) && event.barrier.group == Barrier::Group::cta) return false;
  if (event.kind == EventKind::barrier && event.barrier.gathers_warp()) return false;
  return event.instruction != nullptr && event.instruction->form != nullptr &&
         event.instruction->form->introduced > version;
}

}  // namespace

Scope scope_of(const Event& event) {
  if (is_fence(event)) return event.fence.scope;
  if (!event.is_memory_access() && !is_wait(event)) return Scope::none;
  return event.access.is_volatile ? Scope::sys : event.access.scope;
}

bool is_through(const Event& event, Proxy proxy) {
  if (event.is_memory_access()) return event.access.proxy == proxy;
  const Fence& fence = event.fence;
  return is_proxy_fence(event) && (fence.to == Proxy::generic ? fence.from : fence.to) == proxy;
}

std::span<const BaseSet> base_sets() {
  static constexpr BaseSet sets[] = {
      {"R", "Reads, including the reads of read-modify-writes.", [](const Event& e) { return e.is_read(); }},
      {"W", "Writes, including initial writes and the writes of read-modify-writes.",
       [](const Event& e) { return e.is_write(); }},
      {"M", "Reads and writes.", [](const Event& e) { return e.is_memory_access(); }},
      {"IW", "Initial writes: one for each piece of memory, before all other events.", is_initial},
      {"RMW", "The reads and writes of read-modify-writes; a failed cas has only a read.",
       [](const Event& e) { return e.rmw != -1; }},
      {"RED", "The reads and writes of reductions (red), which are no read operations (8.4).",
       [](const Event& e) { return e.is_memory_access() && e.access.is_reduction; }},
      {"F", "Fences of both kinds: memory fences and proxy fences.", is_fence},
      {"MEMORY_FENCE", "Memory fences (fence, membar): strong operations.", is_memory_fence},
      {"PROXY_FENCE", "Proxy fences (fence.proxy).", is_proxy_fence},
      {"BAR", "Barrier operations: those that arrive and those that wait.", is_barrier},
      {"BAR_SYNC", "Barriers that wait: sync and red.",
       [](const Event& e) { return is_barrier(e) && !is_arrival(e); }},
      {"BAR_ARRIVE", "Barriers that arrive and do not wait.", is_arrival},
      {"BAR_WAIT", "Barriers that wait and do not arrive: barrier.cluster.wait.",
       [](const Event& e) { return is_barrier(e) && e.barrier.kind == Barrier::Kind::wait; }},
      {"BAR_RELAXED", "Barriers that order no accesses: barrier.cluster.arrive.relaxed.",
       [](const Event& e) { return is_barrier(e) && e.barrier.is_relaxed; }},
      {"WEAK", "Memory accesses that are not strong, including initial writes.", is_weak},
      {"RLX", "Strong accesses that neither acquire nor release, including volatile and mmio accesses.",
       is_relaxed},
      {"ACQ", "Acquiring reads, and one-sided fences that acquire.",
       [](const Event& e) { return acquires(e) || fences(e, Sem::acquire); }},
      {"REL", "Releasing writes, and one-sided fences that release.",
       [](const Event& e) { return releases(e) || fences(e, Sem::release); }},
      {"ACQ_REL", "Fences that acquire and release: fence.acq_rel.",
       [](const Event& e) { return fences(e, Sem::acq_rel); }},
      {"SC", "Sequentially consistent fences: fence.sc, membar; of C++ also seq_cst accesses.",
       [](const Event& e) {
         return fences(e, Sem::sc) || (e.is_memory_access() && e.access.sem == Sem::sc);
       }},
      {"FAILS_RLX", "The reads of compare-and-swaps of C++ that are relaxed when they fail.",
       [](const Event& e) { return fails_as(e, "cas_fails_relaxed"); }},
      {"FAILS_ACQ", "The reads of compare-and-swaps of C++ that acquire when they fail.",
       [](const Event& e) { return fails_as(e, "cas_fails_acquire"); }},
      {"FAILS_SC", "The reads of compare-and-swaps of C++ that are seq_cst when they fail.",
       [](const Event& e) { return fails_as(e, "cas_fails_sc"); }},
      {"VOLATILE", "Accesses with .volatile.",
       [](const Event& e) { return e.is_memory_access() && e.access.is_volatile; }},
      {"MMIO", "Accesses with .mmio.",
       [](const Event& e) { return e.is_memory_access() && e.access.is_mmio; }},
      {"CTA", "Operations with the scope of their CTA.",
       [](const Event& e) { return scope_of(e) == Scope::cta; }},
      {"CLUSTER", "Operations with the scope of their cluster.",
       [](const Event& e) { return scope_of(e) == Scope::cluster; }},
      {"GPU", "Operations with the scope of their GPU.",
       [](const Event& e) { return scope_of(e) == Scope::gpu; }},
      {"SYS", "Operations with the scope of the whole system, including volatile accesses.",
       [](const Event& e) { return scope_of(e) == Scope::sys; }},
      {"GEN", "Accesses through the generic proxy, and its proxy fence.",
       [](const Event& e) { return is_through(e, Proxy::generic); }},
      {"TEX", "Accesses through the texture proxy, and its proxy fences.",
       [](const Event& e) { return is_through(e, Proxy::texture); }},
      {"SUR", "Accesses through the surface proxy, and its proxy fences.",
       [](const Event& e) { return is_through(e, Proxy::surface); }},
      {"CON", "Accesses through the constant proxy, and its proxy fences.",
       [](const Event& e) { return is_through(e, Proxy::constant); }},
      {"ASYNC", "Accesses through the async proxy, and its proxy fences.",
       [](const Event& e) { return is_through(e, Proxy::async); }},
      {"TENSORMAP", "Accesses through the tensormap proxy, and its proxy fences.",
       [](const Event& e) { return is_through(e, Proxy::tensormap); }},
      {"SHARED", "Accesses to shared memory, by the state space of the instruction or of the variable.",
       [](const Event& e) { return e.is_memory_access() && is_shared(e.access.space); }},
      {"TENSOR", "Accesses to tensor memory, and to what says which of its columns are allocated.",
       is_in_tensor_memory},
      {"AFTER_PTX_6_4", "Events of instructions that PTX ISA 6.4 does not have.", is_later_than<64>},
      {"AFTER_PTX_7_5", "Events of instructions that PTX ISA 7.5 does not have.", is_later_than<75>},
      {"ONE_WAY", "Proxy fences in one direction, from the generic proxy to another.",
       [](const Event& e) { return is_proxy_fence(e) && e.fence.sem != Sem::weak; }},
      {"RESTRICTED",
       "Fences that only affect some memory: with .sync_restrict, .mbarrier_init or an address range.",
       [](const Event& e) {
         return is_fence(e) && (e.fence.restriction != Fence::Restriction::none || e.address.width() != 0);
       }},
      {"WAIT",
       "Waits for a phase of an mbarrier that have returned True (each has a read as well), and for groups.",
       is_wait},
      {"MBARRIER", "Reads and writes of mbarrier operations other than init and inval.",
       [](const Event& e) { return accesses_mbarrier(e, MbarrierAccess::operation); }},
      {"MBARRIER_LIFE", "The writes of mbarrier.init and mbarrier.inval, and initial writes of objects.",
       [](const Event& e) {
         return accesses_mbarrier(e, MbarrierAccess::init) || accesses_mbarrier(e, MbarrierAccess::inval);
       }},
      {"MBARRIER_INVAL", "The writes of mbarrier.inval.",
       [](const Event& e) { return accesses_mbarrier(e, MbarrierAccess::inval); }},
      {"STRAND", "Operations of asynchronous operations, which are not in program order.",
       [](const Event& e) { return e.strand != 0; }},
      {"ALIAS", "Proxy fences between virtual aliases (fence.proxy.alias).",
       [](const Event& e) { return is_through(e, Proxy::alias); }},
  };
  return sets;
}

const BaseSet* find_base_set(std::string_view name) {
  const auto sets = base_sets();
  const auto found = std::ranges::find(sets, name, &BaseSet::name);
  return found == sets.end() ? nullptr : &*found;
}

}  // namespace ptxmc
