#include "semantics/language/misuse.hpp"

namespace ptxmc {

namespace {

using Object = ObjectUse::Object;
using Kind = Barrier::Kind;

bool is_at_cluster_barrier(const ObjectUse& own, Kind kind) {
  return own.object == Object::cluster_barrier && own.kind == kind;
}

bool is_open_arrival(const ObjectUse* earlier) { return earlier != nullptr && earlier->kind == Kind::arrive; }

bool is_other_instruction(const ObjectUse& a, const ObjectUse& b) {
  return a.where.line != b.where.line || a.where.column != b.where.column;
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
       return Bits::boolean(is_at_cluster_barrier(own, Kind::arrive) && is_open_arrival(earlier));
     }},
    {UsePair::one_thread, Misuse::cluster_wait_without_arrival,
     [](const ObjectUse& own, const ObjectUse* earlier) {
       return Bits::boolean(is_at_cluster_barrier(own, Kind::wait) && !is_open_arrival(earlier));
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
    {UsePair::phase, Misuse::reduction_beside_others,
     [](const ObjectUse& own, const ObjectUse* other) {
       return Bits::boolean(other != nullptr && is_reduction(own.kind) != is_reduction(other->kind));
     }},
};

}  // namespace

ObjectUse use_of(const Barrier& barrier) {
  ObjectUse use;
  use.kind = barrier.kind;
  use.is_aligned = barrier.aligned;
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

std::optional<PossibleMisuse> misuse(UsePair pair, const ObjectUse& own, const ObjectUse* other) {
  for (const Row& row : table) {
    if (row.pair != pair) continue;
    Bits condition = row.condition(own, other);
    if (!condition.is_false()) return PossibleMisuse{row.misuse, std::move(condition)};
  }
  return std::nullopt;
}

bool is_divergence(Misuse misuse) {
  return misuse == Misuse::other_aligned_instruction || misuse == Misuse::exit_without_aligned ||
         misuse == Misuse::aligned_beside_unaligned;
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
  }
  return {};
}

bool is_reduction(Barrier::Kind kind) {
  return kind == Kind::reduce_popc || kind == Kind::reduce_and || kind == Kind::reduce_or;
}

}  // namespace ptxmc
