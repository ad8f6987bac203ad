#include "model/relations/base_relations.hpp"

#include <algorithm>
#include <bit>

#include "model/program/program_order.hpp"
#include "model/relations/base_sets.hpp"
#include "semantics/language/address_windows.hpp"

namespace ptxmc {

namespace {

using Events = std::span<const Event>;

const Event& at(Events events, EventId id) { return events[static_cast<std::size_t>(id)]; }

/// Whether both events have threads with the same `place`.
bool are_placed_together(const Program& program, const Event& a, const Event& b, int Placement::*place) {
  if (a.thread == Event::no_thread || b.thread == Event::no_thread) return false;
  const auto placement = [&](const Event& event) {
    return program.threads[static_cast<std::size_t>(event.thread)].placement.*place;
  };
  return placement(a) == placement(b);
}

}  // namespace

bool space_covers(const Event& fence, const Event& access) {
  const StateSpace space = fence.fence.space;
  return space == StateSpace::generic || space == access.access.space ||
         (is_shared(space) && is_shared(access.access.space));
}

Bits range_covers(const Event& fence, const Event& access) {
  if (fence.address.width() == 0) return Bits::boolean(true);
  if (access.size > fence.fence.size) return Bits::boolean(false);
  return less_equal_unsigned(access.address - fence.address, Bits(64, fence.fence.size - access.size));
}

bool are_in_one_cta(const Program& program, const Event& a, const Event& b) {
  return are_placed_together(program, a, b, &Placement::cta);
}

bool scope_includes(const Program& program, const Event& a, const Event& b) {
  if (b.thread == Event::no_thread) return false;
  switch (scope_of(a)) {
    case Scope::none:
      return false;
    case Scope::cta:
      return are_placed_together(program, a, b, &Placement::cta);
    case Scope::cluster:
      return are_placed_together(program, a, b, &Placement::cluster);
    case Scope::gpu:
      return are_placed_together(program, a, b, &Placement::gpu);
    case Scope::sys:
      return true;
  }
  return false;
}

namespace {

/// Whether the terms of two addresses show that they are equal modulo the size. Ranges of this size then
/// share all bytes or none.
bool are_aligned_alike(const Bits& a, const Bits& b, unsigned size) {
  if (size == 1) return true;
  if (!std::has_single_bit(size)) return false;
  const auto low_bits = static_cast<unsigned>(std::countr_zero(size));
  return identical(a.extract(0, low_bits), b.extract(0, low_bits));
}

/// Whether the bytes [first, first + size) of two accesses overlap; addresses wrap around.
Bits ranges_overlap(const Bits& a, unsigned a_size, const Bits& b, unsigned b_size) {
  if (a.is_constant() && b.is_constant()) {  // the same as below, for constants
    const std::uint64_t first = a.to_u64(), second = b.to_u64();
    return Bits::boolean(second - first < a_size || first - second < b_size);
  }
  if (a_size == b_size && are_aligned_alike(a, b, a_size)) return equal(a, b);
  return less_unsigned(b - a, Bits(64, a_size)) | less_unsigned(a - b, Bits(64, b_size));
}

/// The ranges of open locations may show that two accesses do not overlap.
bool are_apart(const Event& a, const Event& b) {
  const auto is_open = [](const Event& event) { return !event.location.is_constant(); };
  if (is_open(a) && is_open(b)) return a.region_size != 0 && !b.may_touch(a.region_first, a.region_size);
  if (is_open(a)) return !a.may_touch(b.location.to_u64(), b.size);
  return is_open(b) && !b.may_touch(a.location.to_u64(), a.size);
}

Bits overlap(const Event& a, const Event& b) {
  if (!a.is_memory_access() || !b.is_memory_access() || are_apart(a, b)) return Bits::boolean(false);
  return ranges_overlap(a.location, a.size, b.location, b.size);
}

bool are_internal(const Event& a, const Event& b) { return a.thread == b.thread && a.strand == b.strand; }

/// Whether the access fits every size: an initial write, or an access of an asynchronous copy.
bool has_any_size(const Event& event) { return is_initial(event) || event.access.is_copy; }

/// Accesses of one thread do not race, so that a copy has a size for the other accesses of its own thread.
Bits overlap_completely(const Event& a, const Event& b) {
  const bool is_free = is_initial(a) || is_initial(b) || !are_internal(a, b);
  if (is_free && (has_any_size(a) || has_any_size(b))) return overlap(a, b);
  if (!a.is_memory_access() || !b.is_memory_access() || a.size != b.size || are_apart(a, b))
    return Bits::boolean(false);
  return equal(a.location, b.location);
}

Bits overlap_virtually(const Event& a, const Event& b) {
  if (is_initial(a) || is_initial(b)) return overlap(a, b);
  const Bits is_physical = overlap(a, b);
  if (is_physical.is_false()) return is_physical;
  return ranges_overlap(a.address, a.size, b.address, b.size) & is_physical;
}

bool is_among(const std::vector<EventId>& ids, EventId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

template <auto predicate>
Bits of_events(const Program&, Events events, EventId a, EventId b) {
  const auto result = predicate(at(events, a), at(events, b));
  if constexpr (std::is_same_v<decltype(predicate(at(events, a), at(events, b))), bool>)
    return Bits::boolean(result);
  else
    return result;
}

// Events that may be related: BaseRelation::from and BaseRelation::to.

bool is_access(const Event& event) { return event.is_memory_access(); }
bool is_half_of_rmw(const Event& event) { return event.rmw != -1; }
bool is_of_strand(const Event& event) { return event.strand != 0; }
bool has_scope(const Event& event) { return scope_of(event) != Scope::none; }
bool awaits_completion(const Event& event) { return !event.completes.empty(); }
bool follows_starts(const Event& event) { return !event.started.empty(); }
bool awaits_grid(const Event& event) {
  return is_barrier(event) && event.barrier.group == Barrier::Group::prerequisite;
}
template <std::vector<EventId> Event::*reads>
bool is_dependent(const Event& event) {
  return !(event.*reads).empty();
}

template <int Placement::*place>
Bits in_the_same(const Program& program, Events events, EventId a, EventId b) {
  return Bits::boolean(are_placed_together(program, at(events, a), at(events, b), place));
}

template <std::vector<EventId> Event::*reads>
Bits depends(const Program&, Events events, EventId a, EventId b) {
  return Bits::boolean(is_among(at(events, b).*reads, a));
}

/// Whether the access is in shared memory of a CTA for which the predicate holds; the predicate is evaluated
/// for a thread of the CTA.
template <class Predicate>
Bits is_in_shared_memory(const Program& program, const Event& access, const Predicate& holds) {
  Bits result = Bits::boolean(false);
  for (const Variable& variable : program.memory) {
    if (variable.cta < 0 || !access.may_touch(variable.location, variable.size())) continue;
    const Bits inside =
        less_unsigned(access.location - Bits(64, variable.location), Bits(64, variable.size()));
    if (inside.is_false()) continue;
    const auto owner = std::ranges::find_if(
        program.threads, [&](const Thread& thread) { return thread.placement.cta == variable.cta; });
    if (owner != program.threads.end() && holds(owner->placement)) result = result | inside;
  }
  return result;
}

const Placement& place_of(const Program& program, const Event& event) {
  return program.threads[static_cast<std::size_t>(event.thread)].placement;
}

Bits is_to_another_cluster(const Program& program, Events events, EventId a, EventId b) {
  const Event& access = at(events, a);
  const bool may_be = a == b && access.thread != Event::no_thread && access.is_memory_access() &&
                      (is_shared(access.access.space) || access.access.space == StateSpace::generic);
  if (!may_be) return Bits::boolean(false);
  return is_in_shared_memory(program, access, [&](const Placement& owner) {
    return owner.cluster != place_of(program, access).cluster;
  });
}

Bits is_to_own_cta(const Program& program, Events events, EventId a, EventId b) {
  const Event& access = at(events, a);
  if (a != b || access.thread == Event::no_thread || !access.is_memory_access()) return Bits::boolean(false);
  return is_in_shared_memory(
      program, access, [&](const Placement& owner) { return owner.cta == place_of(program, access).cta; });
}

Bits may_outlive_cta(const Program& program, Events events, EventId a, EventId b) {
  const Event& access = at(events, a);
  if (a != b || !access.may_outlive_cta) return Bits::boolean(false);
  const bool is_asynchronous_read = access.strand != 0 && access.is_read() && access.rmw == -1;
  return is_in_shared_memory(program, access, [&](const Placement& owner) {
    return is_asynchronous_read || owner.cta != place_of(program, access).cta;
  });
}

Bits is_to_cta_of(const Program& program, Events events, EventId a, EventId b) {
  const Event &access = at(events, a), &other = at(events, b);
  if (!access.may_outlive_cta || other.thread == Event::no_thread || other.strand != 0)
    return Bits::boolean(false);
  return is_in_shared_memory(
      program, access, [&](const Placement& owner) { return owner.cta == place_of(program, other).cta; });
}

/// `.sync_restrict` and `.mbarrier_init`: PTX ISA 8.7 § 9.7.13.4. The latter releases the thread's own
/// `mbarrier.init`. Shared memory without a qualifier is that of the thread's CTA.
Bits restriction_covers(const Program& program, const Event& fence, const Event& access) {
  const Placement& own = place_of(program, fence);
  switch (fence.fence.restriction) {
    case Fence::Restriction::none:
      return Bits::boolean(true);
    case Fence::Restriction::mbarrier_init:
      return Bits::boolean(access.thread == fence.thread && access.access.mbarrier == MbarrierAccess::init);
    case Fence::Restriction::shared_cta:
      return is_in_shared_memory(program, access,
                                 [&](const Placement& owner) { return owner.cta == own.cta; });
    case Fence::Restriction::shared_cluster:
      return is_in_shared_memory(program, access,
                                 [&](const Placement& owner) { return owner.cluster == own.cluster; });
  }
  return Bits::boolean(false);
}

Bits fence_covers(const Program& program, Events events, EventId a, EventId b) {
  const Event &fence = at(events, a), &access = at(events, b);
  if (!is_fence(fence) || !access.is_memory_access() || !space_covers(fence, access))
    return Bits::boolean(false);
  return restriction_covers(program, fence, access) & range_covers(fence, access);
}

Bits fence_cta(const Program& program, Events events, EventId a, EventId b) {
  const Event &fence = at(events, a), &access = at(events, b);
  if (!is_proxy_fence(fence) || !access.is_memory_access()) return Bits::boolean(false);
  return is_in_cta_of_fence(program, fence, access);
}

/// § 9.7.13.13: griddepcontrol.wait waits until the prerequisite grid has completed.
Bits grid_completion(const Program& program, Events events, EventId a, EventId b) {
  const Event &own = at(events, a), &wait = at(events, b);
  if (!is_barrier(wait) || wait.barrier.group != Barrier::Group::prerequisite ||
      own.thread == Event::no_thread)
    return Bits::boolean(false);
  return Bits::boolean(place_of(program, own).grid == place_of(program, wait).prerequisite);
}

}  // namespace

Bits is_in_cta_of_fence(const Program& program, const Event& fence, const Event& access) {
  if (are_in_one_cta(program, fence, access)) return Bits::boolean(true);
  if (access.strand == 0) return Bits::boolean(false);
  const int own = place_of(program, fence).cta;
  return is_in_shared_memory(program, access, [&](const Placement& owner) { return owner.cta == own; });
}

Bits overlap_partially(const Event& a, const Event& b) { return overlap(a, b) & ~overlap_completely(a, b); }

std::span<const BaseRelation> base_relations() {
  static constexpr BaseRelation relations[] = {
      {"po",
       "Program order: a precedes b in its thread, and the read of a read-modify-write precedes its write; "
       "elements of one vector access are not related.",
       [](const Program&, Events events, EventId a, EventId b) {
         return Bits::boolean(precedes(events, a, b));
       },
       Pairing::one_thread},
      {"rmw", "From the read of a read-modify-write to its write.",
       [](const Program&, Events events, EventId a, EventId b) {
         return Bits::boolean(at(events, a).is_read() && at(events, a).rmw == b);
       },
       Pairing::one_thread, false, is_half_of_rmw, is_half_of_rmw},
      {"succeeds", "From the read of a wait for a phase of an mbarrier to its success.",
       of_events<[](const Event& a, const Event& b) { return is_success_of(b, a); }>, Pairing::one_thread,
       false, is_access, is_wait},
      {"addr", "From a read to an access whose address was computed from the value read.",
       depends<&Event::address_dependencies>, Pairing::any, false, is_access,
       is_dependent<&Event::address_dependencies>},
      {"data", "From a read to a write whose value was computed from the value read.",
       depends<&Event::data_dependencies>, Pairing::any, false, is_access,
       is_dependent<&Event::data_dependencies>},
      {"ctrl", "From a read to an event that happens, or follows a branch, depending on the value read.",
       depends<&Event::control_dependencies>, Pairing::any, false, is_access,
       is_dependent<&Event::control_dependencies>},
      {"loc", "Two accesses to memory have at least one physical byte in common.", of_events<overlap>,
       Pairing::common_bytes, true, is_access, is_access},
      {"same_location",
       "Two accesses overlap completely: they access the same bytes; an initial write matches any size.",
       of_events<overlap_completely>, Pairing::common_bytes, true, is_access, is_access},
      {"vloc",
       "Two accesses overlap in their virtual addresses too, which aliases do not; an initial write has all "
       "virtual addresses.",
       of_events<overlap_virtually>, Pairing::common_bytes, true, is_access, is_access},
      {"aliases", "Two accesses overlap physically, but not in their virtual addresses.",
       of_events<[](const Event& a, const Event& b) { return overlap(a, b) & ~overlap_virtually(a, b); }>,
       Pairing::common_bytes, true, is_access, is_access},
      {"int", "Two events of one thread, or two initial writes.",
       of_events<[](const Event& a, const Event& b) { return are_internal(a, b); }>, Pairing::by_agents},
      {"ext",
       "Two events that are not of one thread; an initial write has no thread, and an asynchronous operation "
       "counts as a thread.",
       of_events<[](const Event& a, const Event& b) { return !are_internal(a, b); }>, Pairing::by_agents},
      {"same_thread", "Two events of one thread, or of one asynchronous operation; no initial writes.",
       of_events<are_of_one_agent>, Pairing::by_agents},
      {"starts", "From an event of a thread to an asynchronous operation that the thread starts later.",
       of_events<is_before_start>, Pairing::one_thread, false, nullptr, is_of_strand},
      {"strand_order", "Two events of one asynchronous operation, in their order.",
       [](const Program&, Events events, EventId a, EventId b) {
         return Bits::boolean(is_earlier_in_strand(events, a, b));
       },
       Pairing::one_thread, false, is_of_strand, is_of_strand},
      {"completes",
       "From an event of an asynchronous operation to the event of a thread that waits for its group, or "
       "to the arrival of cp.async.mbarrier.arrive that follows it.",
       of_events<is_complete_before>, Pairing::any, false, is_of_strand, awaits_completion},
      {"pipelined",
       "From an event of an operation of tensor cores to a tcgen05.fence::before_thread_sync behind its "
       "start.",
       of_events<is_started_before>, Pairing::one_thread, false, is_of_strand, follows_starts},
      {"pipeline_pair",
       "Two accesses to tensor memory by operations that are performed in the order in which they are "
       "started: of tcgen05.cp and tcgen05.mma, for example.",
       of_events<are_pipeline_pair>, Pairing::any, false, is_tensor_cell, is_tensor_cell},
      {"grid_completion",
       "From an event of a grid, or of an asynchronous operation of it, to a griddepcontrol.wait for the "
       "grid.",
       grid_completion, Pairing::any, false, nullptr, awaits_grid},
      {"scta", "Two events of threads in the same CTA.", in_the_same<&Placement::cta>, Pairing::by_agents},
      {"scluster", "Two events of threads in the same cluster.", in_the_same<&Placement::cluster>,
       Pairing::by_agents},
      {"sgpu", "Two events of threads on the same GPU.", in_the_same<&Placement::gpu>, Pairing::by_agents},
      {"in_scope", "The scope of a includes the thread of b.",
       [](const Program& program, Events events, EventId a, EventId b) {
         return Bits::boolean(scope_includes(program, at(events, a), at(events, b)));
       },
       Pairing::by_agents, false, has_scope},
      {"sr", "Each event is in the scope of the other.",
       [](const Program& program, Events events, EventId a, EventId b) {
         return Bits::boolean(scope_includes(program, at(events, a), at(events, b)) &&
                              scope_includes(program, at(events, b), at(events, a)));
       },
       Pairing::by_agents, false, has_scope, has_scope},
      {"same_proxy", "Two accesses to memory through the same proxy; an initial write matches any.",
       of_events<[](const Event& a, const Event& b) {
         return a.is_memory_access() && b.is_memory_access() &&
                (is_initial(a) || is_initial(b) || a.access.proxy == b.access.proxy);
       }>,
       Pairing::any, false, is_access, is_access},
      {"to_another_cluster",
       "Each access to the shared memory of a cluster without the accessing thread, with itself.",
       is_to_another_cluster, Pairing::one_event, true, is_access, is_access},
      {"to_own_cta", "Each access to the shared memory of the accessing thread's CTA, with itself.",
       is_to_own_cta, Pairing::one_event, true, is_access, is_access},
      {"may_outlive_cta",
       "Each access to the shared memory of another CTA, and each read of shared memory by an asynchronous "
       "operation, with itself; in a launch not those for which a barrier of the cluster waits.",
       may_outlive_cta, Pairing::one_event, true, is_access, is_access},
      {"to_cta", "From an access of may_outlive_cta to the events of the threads in the CTA of its memory.",
       is_to_cta_of, Pairing::any, true, is_access},
      {"fence_cta",
       "From a proxy fence to the accesses of its CTA, and of asynchronous operations to the shared memory "
       "of its CTA.",
       fence_cta, Pairing::any, true, is_proxy_fence, is_access},
      {"fence_covers", "The fence a affects the memory of the access b.", fence_covers, Pairing::any, true,
       is_fence, is_access},
      {"co",
       "Coherence order if the model does not define it: a total order of the writes to each location, "
       "beginning with the initial write; in a model whose first line is PTX any strict partial order that "
       "begins with the initial write.",
       nullptr},
      {"total_coherence", "The total order of co, also in a model whose first line is PTX.", nullptr},
      {"rf", "Reads-from: the read b takes at least one byte from the write a.", nullptr},
      {"syncbar", "Two different barrier events of the same phase of the same barrier.", nullptr},
  };
  return relations;
}

std::span<const DerivedName> derived_names() {
  static constexpr DerivedName names[] = {
      {"id", "Every event with itself.", "let id = [_]"},
      {"emptyset", "No event.", "let emptyset = {}"},
      {"fr",
       "From-reads: for some byte of b, the write b follows the source of the read a in coherence order.",
       "let fr = from_reads(co)"},
      {"dep", "Dependencies: address, data and control.", "let dep = addr | data | ctrl"},
      {"com", "Communication: rf, co and fr.", "let com = rf | co | fr"},
      {"po-loc", "Program order between overlapping accesses.", "let po-loc = po & loc"},
      {"rfi", "rf inside a thread.", "let rfi = rf & int"},
      {"rfe", "rf between threads.", "let rfe = rf & ext"},
      {"coi", "co inside a thread.", "let coi = co & int"},
      {"coe", "co between threads.", "let coe = co & ext"},
      {"fri", "fr inside a thread.", "let fri = fr & int"},
      {"fre", "fr between threads.", "let fre = fr & ext"},
      {"sync_fence", "An acyclic order of the fence.sc operations that are in each other's scope.",
       "with sync_fence from orientations(sr & ((SC & MEMORY_FENCE) * (SC & MEMORY_FENCE)))\n"
       "acyclic sync_fence as sync_fence"},
      {"fencerel", "Pairs in program order with an event of S between them.",
       "let fencerel(S) = (po & (_ * S)); po"},
      {"toid", "The events of a set, each with itself: [S].", "let toid(S) = [S]"},
      {"noid", "A relation without (a, a).", "let noid(r) = r \\ id"},
      {"RR", "From reads to reads.", "let RR(r) = r & (R * R)"},
      {"RW", "From reads to writes.", "let RW(r) = r & (R * W)"},
      {"WR", "From writes to reads.", "let WR(r) = r & (W * R)"},
      {"WW", "From writes to writes.", "let WW(r) = r & (W * W)"},
      {"RM", "From reads to accesses.", "let RM(r) = r & (R * M)"},
      {"MR", "From accesses to reads.", "let MR(r) = r & (M * R)"},
      {"WM", "From writes to accesses.", "let WM(r) = r & (W * M)"},
      {"MW", "From accesses to writes.", "let MW(r) = r & (M * W)"},
      {"MM", "From accesses to accesses.", "let MM(r) = r & (M * M)"},
  };
  return names;
}

namespace {

template <class Row>
const Row* find(std::span<const Row> rows, std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

const BaseRelation* find_base_relation(std::string_view name) { return find(base_relations(), name); }
const DerivedName* find_derived_name(std::string_view name) { return find(derived_names(), name); }

}  // namespace ptxmc
