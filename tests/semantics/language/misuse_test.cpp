#include "semantics/language/misuse.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

using Object = ObjectUse::Object;
using enum Barrier::Kind;

ObjectUse at_cluster_barrier(Barrier::Kind kind) { return {.object = Object::cluster_barrier, .kind = kind}; }

ObjectUse aligned_at(std::uint32_t line) { return {.is_aligned = true, .where = {line, 1}}; }

std::optional<Misuse> found(UsePair pair, const ObjectUse& own, const ObjectUse* other) {
  const auto possible = misuse(pair, own, other);
  if (!possible) return std::nullopt;
  CHECK(possible->condition.is_true());
  return possible->misuse;
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.2: "the behavior of bar.warp.sync is undefined if the executing thread is not in the
// membermask".
TEST_CASE("A lane outside its membermask is a misuse") {
  const Bits mask(32, 0b101);
  const auto of_lane = [&](unsigned lane) {
    return found(UsePair::one_thread, use_of_lanes(mask, lane), nullptr);
  };
  CHECK(!of_lane(0));
  CHECK(of_lane(1) == Misuse::outside_membermask);
  CHECK(of_lane(31) == Misuse::outside_membermask);
  TermGraph graph;
  const auto unknown = misuse(UsePair::one_thread, use_of_lanes(graph.variable(32, "mask"), 1), nullptr);
  REQUIRE(unknown);
  CHECK_FALSE(unknown->condition.is_constant());
}

// § 9.7.13.3: "each thread must arrive at the barrier exactly once before the barrier completes".
TEST_CASE("barrier.cluster: one arrival before each wait") {
  const ObjectUse arrival = at_cluster_barrier(arrive), end = at_cluster_barrier(wait);
  const auto after = [](const ObjectUse& own, const ObjectUse* before) {
    return found(UsePair::one_thread, own, before);
  };
  CHECK(!after(arrival, nullptr));
  CHECK(!after(end, &arrival));
  CHECK(!after(arrival, &end));
  CHECK(after(arrival, &arrival) == Misuse::second_cluster_arrival);
  CHECK(after(end, nullptr) == Misuse::cluster_wait_without_arrival);
  CHECK(after(end, &end) == Misuse::cluster_wait_without_arrival);
}

// § 9.7.13.1: "barrier.red should not be intermixed with barrier.sync or barrier.arrive using the same active
// barrier".
TEST_CASE("A reduction beside an arrival that is none") {
  const auto together = [](Barrier::Kind a, Barrier::Kind b) {
    const ObjectUse first = {.kind = a}, second = {.kind = b};
    return found(UsePair::phase, first, &second);
  };
  CHECK(together(reduce_and, arrive) == Misuse::reduction_beside_others);
  CHECK(together(Barrier::Kind::sync, reduce_popc) == Misuse::reduction_beside_others);
  CHECK(!together(reduce_and, reduce_or));
  CHECK(!together(Barrier::Kind::sync, arrive));
}

// § 9.7.13.1: the modifier .aligned indicates that all threads execute the same instruction.
TEST_CASE("Threads of a warp at aligned instructions") {
  const ObjectUse here = aligned_at(7), there = aligned_at(8);
  ObjectUse elsewhere_in_line = here, unaligned = here;
  elsewhere_in_line.where.column = 2;
  unaligned.is_aligned = false;
  CHECK(!found(UsePair::aligned_turn, here, &here));
  CHECK(found(UsePair::aligned_turn, here, &there) == Misuse::other_aligned_instruction);
  CHECK(found(UsePair::aligned_turn, here, &elsewhere_in_line) == Misuse::other_aligned_instruction);
  CHECK(found(UsePair::aligned_turn, here, nullptr) == Misuse::exit_without_aligned);
  CHECK(!found(UsePair::aligned_turn, unaligned, nullptr));
  CHECK(!found(UsePair::warp_arrival, here, &here));
  CHECK(!found(UsePair::warp_arrival, unaligned, &unaligned));
  CHECK(found(UsePair::warp_arrival, here, &unaligned) == Misuse::aligned_beside_unaligned);
  CHECK(found(UsePair::warp_arrival, unaligned, &here) == Misuse::aligned_beside_unaligned);
  // § 9.7.13.3: threads, and not warps, arrive at a barrier of the cluster.
  ObjectUse at_cluster = here, at_cluster_unaligned = unaligned;
  at_cluster.object = at_cluster_unaligned.object = ObjectUse::Object::cluster_barrier;
  CHECK(!found(UsePair::warp_arrival, at_cluster, &at_cluster_unaligned));
}

TEST_CASE("Each misuse has a sentence with its section") {
  using enum Misuse;
  for (const Misuse misuse :
       {outside_membermask, second_cluster_arrival, cluster_wait_without_arrival, reduction_beside_others,
        other_aligned_instruction, exit_without_aligned, aligned_beside_unaligned})
    CHECK(sentence_of(misuse).find("PTX ISA 8.7 § 9.7") != std::string_view::npos);
  CHECK(is_divergence(exit_without_aligned));
  CHECK_FALSE(is_divergence(reduction_beside_others));
}
