#include "semantics/language/misuse.hpp"

namespace ptxmc {

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
  }
  return {};
}

Bits is_outside_membermask(const Bits& membermask, unsigned lane) { return ~membermask.extract(lane, 1); }

ClusterMisuse misuse_of_cluster_barrier(Barrier::Kind kind, const Bits& has_arrived) {
  if (kind == Barrier::Kind::arrive) return {Misuse::second_cluster_arrival, has_arrived};
  return {Misuse::cluster_wait_without_arrival, ~has_arrived};
}

bool is_reduction(Barrier::Kind kind) {
  return kind == Barrier::Kind::reduce_popc || kind == Barrier::Kind::reduce_and ||
         kind == Barrier::Kind::reduce_or;
}

bool are_mixed(Barrier::Kind a, Barrier::Kind b) { return is_reduction(a) != is_reduction(b); }

}  // namespace ptxmc
