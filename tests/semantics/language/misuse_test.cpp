#include "semantics/language/misuse.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

// PTX ISA 8.7 § 9.7.13.2: "the behavior of bar.warp.sync is undefined if the executing thread is not in the
// membermask".
TEST_CASE("A lane outside its membermask is a misuse") {
  const Bits mask(32, 0b101);
  CHECK(is_outside_membermask(mask, 0).is_false());
  CHECK(is_outside_membermask(mask, 1).is_true());
  CHECK(is_outside_membermask(mask, 31).is_true());
  TermGraph graph;
  CHECK_FALSE(is_outside_membermask(graph.variable(32, "mask"), 1).is_constant());
}

// § 9.7.13.3: "each thread must arrive at the barrier exactly once before the barrier completes".
TEST_CASE("barrier.cluster: one arrival before each wait") {
  const Bits yes = Bits::boolean(true), no = Bits::boolean(false);
  using Kind = Barrier::Kind;
  CHECK(misuse_of_cluster_barrier(Kind::arrive, no).condition.is_false());
  CHECK(misuse_of_cluster_barrier(Kind::wait, yes).condition.is_false());
  const ClusterMisuse twice = misuse_of_cluster_barrier(Kind::arrive, yes);
  CHECK(twice.condition.is_true());
  CHECK(twice.misuse == Misuse::second_cluster_arrival);
  const ClusterMisuse alone = misuse_of_cluster_barrier(Kind::wait, no);
  CHECK(alone.condition.is_true());
  CHECK(alone.misuse == Misuse::cluster_wait_without_arrival);
}

// § 9.7.13.1: "barrier.red should not be intermixed with barrier.sync or barrier.arrive using the same active
// barrier".
TEST_CASE("A reduction beside what is none") {
  using enum Barrier::Kind;
  CHECK(are_mixed(reduce_and, arrive));
  CHECK(are_mixed(sync, reduce_popc));
  CHECK_FALSE(are_mixed(reduce_and, reduce_or));
  CHECK_FALSE(are_mixed(sync, arrive));
}

TEST_CASE("Each misuse has a sentence with its section") {
  for (const Misuse misuse : {Misuse::outside_membermask, Misuse::second_cluster_arrival,
                              Misuse::cluster_wait_without_arrival, Misuse::reduction_beside_others})
    CHECK(sentence_of(misuse).find("PTX ISA 8.7 § 9.7") != std::string_view::npos);
}
