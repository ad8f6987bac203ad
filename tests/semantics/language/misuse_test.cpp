#include "semantics/language/misuse.hpp"

#include <doctest/doctest.h>

#include <algorithm>

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
  // "Different warps may execute different forms of the barrier instruction using the same barrier name".
  ObjectUse arrival = unaligned, counted = unaligned, reduction = unaligned;
  arrival.kind = Barrier::Kind::arrive;
  counted.has_count = true;
  reduction.kind = Barrier::Kind::reduce_and;
  CHECK(found(UsePair::warp_arrival, arrival, &unaligned) == Misuse::different_forms_in_warp);
  CHECK(found(UsePair::warp_arrival, unaligned, &counted) == Misuse::different_forms_in_warp);
  CHECK(!found(UsePair::warp_arrival, arrival, &arrival));
  CHECK(!found(UsePair::phase, unaligned, &counted));
  // That is a misuse of the phase.
  CHECK(!found(UsePair::warp_arrival, reduction, &arrival));
  // § 9.7.13.3: threads, and not warps, arrive at a barrier of the cluster.
  ObjectUse at_cluster = here, at_cluster_unaligned = unaligned;
  at_cluster.object = at_cluster_unaligned.object = ObjectUse::Object::cluster_barrier;
  CHECK(!found(UsePair::warp_arrival, at_cluster, &at_cluster_unaligned));
}

namespace {

/// An object with 2 pending arrivals, in phase 3 unless another one is given.
Bits object(std::uint64_t pending = 2, std::int64_t bytes = 0, std::uint64_t phase = 3) {
  return word_of({.pending = Bits(20, pending),
                  .expected = Bits(20, 2),
                  .transactions = Bits(21, static_cast<std::uint64_t>(bytes)),
                  .phase = Bits(3, phase)});
}

Bits number_of(std::uint64_t number) { return {32, number}; }

std::optional<Misuse> found(const MbarrierUse& use) {
  return found(UsePair::one_thread, use_of(use), nullptr);
}

std::optional<Misuse> arrival_of(std::uint64_t number, const Bits& word, bool is_drop = false) {
  MbarrierUse use{.word = word, .counts_arrivals = true};
  use.step = {.arrivals = number_of(number), .may_complete = true};
  if (is_drop) use.step.drops = number_of(number);
  return found(use);
}

}  // namespace

// PTX ISA 8.7 § 9.7.13.15.2.
TEST_CASE("mbarrier: the range of counts") {
  const auto init = [](std::uint64_t number) {
    return found(MbarrierUse{.step = {.arrivals = number_of(number)}, .counts_arrivals = true});
  };
  CHECK(init(0) == Misuse::mbarrier_count_out_of_range);
  CHECK(!init(1));
  CHECK(!init(1048575));
  CHECK(init(1048576) == Misuse::mbarrier_count_out_of_range);
  CHECK(arrival_of(0, object()) == Misuse::mbarrier_count_out_of_range);
  CHECK(!arrival_of(1, object()));
  CHECK(arrival_of(0x100001, object()) == Misuse::mbarrier_count_out_of_range);  // 1 in 20 bits
  // An arrive.expect_tx has no count.
  CHECK(!found(MbarrierUse{.word = object(), .step = {.arrivals = number_of(1), .may_complete = true}}));
  // The pending count of an object whose phases are not for use any more.
  CHECK(found(MbarrierUse{.word = object(1048575), .step = {.increments = number_of(1)}}) ==
        Misuse::mbarrier_count_out_of_range);
  CHECK(!found(MbarrierUse{.word = object(1048574), .step = {.increments = number_of(1)}}));
}

// § 9.7.13.15.2: the minimum of the pending count is 0.
TEST_CASE("mbarrier: more arrivals than are pending") {
  CHECK(!arrival_of(2, object(2)));
  CHECK(arrival_of(3, object(2)) == Misuse::mbarrier_too_many_arrivals);
  CHECK(arrival_of(1, object(0, 16)) == Misuse::mbarrier_too_many_arrivals);
  CHECK(!arrival_of(2, object(2), true));
  CHECK(found(MbarrierUse{.word = object(4), .step = {.drops = number_of(3), .arrivals = number_of(3)}}) ==
        Misuse::mbarrier_count_out_of_range);  // 3 of 2 expected
}

TEST_CASE("mbarrier: the range of the tx-count") {
  const auto expect = [](std::uint64_t bytes, std::int64_t before) {
    return found(MbarrierUse{.word = object(2, before), .step = {.expects = number_of(bytes)}});
  };
  CHECK(!expect(1048575, 0));
  CHECK(expect(1048575, 1) == Misuse::mbarrier_transactions_out_of_range);
  CHECK(!expect(1048576, -1));
  const auto complete = [](std::uint64_t bytes, std::int64_t before) {
    return found(MbarrierUse{.word = object(2, before),
                             .step = {.completes = number_of(bytes), .may_complete = true}});
  };
  CHECK(!complete(16, 0));
  CHECK(complete(16, -1048570) == Misuse::mbarrier_transactions_out_of_range);
  // A wait counts no bytes; it may read memory that holds no object.
  CHECK(!found(MbarrierUse{.word = object(2, -1048576), .parity = number_of(0)}));
}

// § 9.7.13.15.13.
TEST_CASE("mbarrier: .noComplete that completes the phase") {
  const auto arrival = [](const Bits& word, bool must_not_complete) {
    return found(MbarrierUse{.word = word,
                             .step = {.arrivals = number_of(2), .may_complete = true},
                             .counts_arrivals = true,
                             .must_not_complete = must_not_complete});
  };
  CHECK(arrival(object(2), true) == Misuse::mbarrier_must_not_complete);
  CHECK(!arrival(object(2), false));
  CHECK(!arrival(object(3), true));
  CHECK(!arrival(object(2, 16), true));  // bytes are pending
}

// § 9.7.13.15.16: the state is of the current phase or of the one before; the parity is 0 or 1.
TEST_CASE("mbarrier: the phase of a wait") {
  const auto by_token = [](std::uint64_t current, std::uint64_t phase) {
    return found(MbarrierUse{.word = object(2, 0, current), .token = object(1, 0, phase)});
  };
  CHECK(!by_token(3, 3));
  CHECK(!by_token(3, 2));
  CHECK(by_token(3, 1) == Misuse::mbarrier_phase_of_token);
  CHECK(!by_token(0, 7));  // phases are counted modulo 8
  CHECK(by_token(1, 7) == Misuse::mbarrier_phase_of_token);
  const auto by_parity = [](std::uint64_t parity) {
    return found(MbarrierUse{.word = object(), .parity = number_of(parity)});
  };
  CHECK(!by_parity(0));
  CHECK(!by_parity(1));
  CHECK(by_parity(2) == Misuse::mbarrier_parity);
  CHECK(by_parity(0x80000000) == Misuse::mbarrier_parity);
}

TEST_CASE("mbarrier: all misuses that the use of an unknown object may be") {
  TermGraph graph;
  const Bits word = graph.variable(64, "object");
  const ObjectUse use = use_of(MbarrierUse{.word = word,
                                           .step = {.arrivals = number_of(1), .may_complete = true},
                                           .counts_arrivals = true,
                                           .must_not_complete = true});
  std::vector<Misuse> all;
  for (const PossibleMisuse& possible : possible_misuses(UsePair::one_thread, use, nullptr))
    all.push_back(possible.misuse);
  // The range of the tx-count depends on the object too.
  CHECK(std::ranges::find(all, Misuse::mbarrier_too_many_arrivals) != all.end());
  CHECK(std::ranges::find(all, Misuse::mbarrier_must_not_complete) != all.end());
  CHECK(std::ranges::find(all, Misuse::mbarrier_parity) == all.end());
  Substitution known;
  known.set(0, object(1));
  const ObjectUse replaced = with_values(use, [&](const Bits& value) { return known.apply(value); });
  CHECK(found(UsePair::one_thread, replaced, nullptr) == Misuse::mbarrier_must_not_complete);
  CHECK(std::ranges::any_of(values_in(use), [&](const Bits& value) { return identical(value, word); }));
}

// § 9.7.13.15, § 9.7.13.15.9, § 9.7.13.15.10: what follows what at the memory of an object.
TEST_CASE("mbarrier: misuses of memory") {
  using enum MbarrierAccess;
  const bool reads = false, writes = true;
  CHECK(!misuse_of_memory(none, none, reads));
  CHECK(!misuse_of_memory(none, inval, writes));
  for (const MbarrierAccess object : {init, operation}) {
    CHECK(misuse_of_memory(none, object, reads) == Misuse::access_to_mbarrier);
    CHECK(misuse_of_memory(none, object, writes) == Misuse::access_to_mbarrier);
    CHECK(misuse_of_memory(init, object, writes) == Misuse::second_mbarrier_init);
    CHECK(!misuse_of_memory(operation, object, reads));
    CHECK(!misuse_of_memory(operation, object, writes));
    CHECK(!misuse_of_memory(inval, object, writes));
  }
  for (const MbarrierAccess other : {none, inval}) {
    CHECK(!misuse_of_memory(init, other, writes));
    CHECK(misuse_of_memory(operation, other, reads) == Misuse::no_mbarrier);
    CHECK(misuse_of_memory(inval, other, writes) == Misuse::no_mbarrier);
  }
}

TEST_CASE("Each misuse has a sentence with its section") {
  using enum Misuse;
  for (const Misuse misuse :
       {outside_membermask, second_cluster_arrival, cluster_wait_without_arrival, reduction_beside_others,
        other_aligned_instruction, exit_without_aligned, aligned_beside_unaligned, barrier_number,
        thread_count, different_thread_counts, mbarrier_count_out_of_range, mbarrier_too_many_arrivals,
        mbarrier_transactions_out_of_range, mbarrier_must_not_complete, mbarrier_phase_of_token,
        mbarrier_parity, no_mbarrier, access_to_mbarrier, second_mbarrier_init})
    CHECK(sentence_of(misuse).find("PTX ISA 8.7 § 9.7") != std::string_view::npos);
  CHECK(is_divergence(exit_without_aligned));
  CHECK_FALSE(is_divergence(reduction_beside_others));
}
