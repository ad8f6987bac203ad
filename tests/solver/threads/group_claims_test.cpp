// What lanes that execute an `activemask` together know of a counter: docs/soundness.md, One thread for all.
#include "solver/threads/group_claims.hpp"

#include <doctest/doctest.h>

#include "semantics/values/arithmetic.hpp"
#include "solver/threads/group_facts.hpp"
#include "solver/threads/thread_proofs.hpp"
#include "tests/solver/threads/open_events.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr std::uint64_t group_counter = 0x100, appended = 0x1000;

/// 64 threads in each of some CTAs, a counter in global memory that is 0 at first, and a buffer. Some lanes
/// are at an `activemask`. The lowest lane of a group adds to the counter, and gives to the others what it
/// has read.
class Appending : public OpenEvents {
 public:
  explicit Appending(std::uint32_t ctas = 1) : OpenEvents(64, ctas), active(graph().variable(1, "active")) {
    memory(appended, std::uint64_t{256} * ctas, false, true);
    memory(group_counter, 4, false, true);
    thread().initial_values[{group_counter, 4}] = Bits(32, 0);
    thread().structure.endings.resize(1);
    group = {active, graph().variable(32, "mask"), 0, {}, {}};
    below = group.mask & (shift_left(Bits(32, 1), lane_of(thread())) - Bits(32, 1));
    above = group.mask & ~below & ~shift_left(Bits(32, 1), lane_of(thread()));
    size = count(group.mask);
    rank = count(below);
    adds = active & is_zero(below);
    amount = size;
    exchanges = active;
    source = lowest_lane(group.mask);
  }

  /// Runs the code, in which the fields below have been changed.
  ThreadsAnswer decide() {
    const Bits read = add();
    const Bits base = exchange(ite(adds, read, graph().variable(32, "none")));
    write(Bits(64, appended) + shift_left((base + offset()).zero_extend(64), Bits(64, 2)), Bits(32, 1))
        .condition = exchanges;
    if (has_reset) write(Bits(64, group_counter), Bits(32, 0)).condition = equal(tid(), Bits(64, 0));
    ThreadsAnswer answer;
    decide_by_threads(thread(), {LaunchProperty::race}, {}, graph(), answer);
    return answer;
  }
  /// Whether the sum of all additions is known.
  bool has_limit() {
    add();
    assume_groups(questions());
    return !assume_counters(questions()).empty();
  }
  bool is_race_excluded() { return decide().excluded.contains(LaunchProperty::race); }

  static Bits lowest_lane(const Bits& mask) { return count_leading_zeros(reverse_bits(mask)); }

  const Bits active;
  OpenGroup group;
  Bits below, above, size, rank;
  Bits adds, amount, exchanges, source;
  Scope scope = Scope::gpu;
  bool has_reset = false, is_ranked = true;

 private:
  Bits offset() const { return is_ranked ? rank : Bits(32, 0); }
  Bits count(const Bits& value) {
    return thread().counts.emplace_back(BitCount{value, graph().variable(32, "count")}).count;
  }
  /// The value that the addition reads.
  Bits add() {
    thread().groups.push_back(group);
    const std::size_t number = atomic_add(Bits(64, group_counter), amount, scope);
    for (std::size_t i = number; i < number + 2; ++i) events()[i].condition = adds;
    return events()[number].value;
  }
  /// `shfl.sync.idx` from the source lane.
  Bits exchange(const Bits& given) {
    GroupExchange own{0, exchanges, static_cast<unsigned>(events().size()) + 1, {}, given, {}, {}, {}};
    Bits rule = graph().variable(32, "unspecified");
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      own.of_lane.push_back(graph().variable(32, "lane"));
      const Bits is_source = equal(source, Bits(32, lane)) & group.mask.bit(lane);
      rule = ite(is_source, own.of_lane.back(), rule);
    }
    own.rules = {rule};
    own.results = {graph().variable(32, "exchanged")};
    thread().group_exchanges.push_back(own);
    return own.results.front();
  }
};

}  // namespace

TEST_CASE("lanes that are active together append in disjoint places") {
  CHECK(Appending().is_race_excluded());
  CHECK(Appending(2).is_race_excluded());
}

TEST_CASE("the highest lane of a group may add for the others") {
  Appending threads;
  threads.adds = threads.active & is_zero(threads.above);
  threads.source = Bits(32, 31) - count_leading_zeros(threads.group.mask);
  CHECK(threads.is_race_excluded());
}

TEST_CASE("an addition of less than the size of the group leaves places for other groups") {
  Appending constant, one_less;
  constant.amount = Bits(32, 1);
  CHECK_FALSE(constant.is_race_excluded());
  one_less.amount = one_less.size - Bits(32, 1);
  CHECK_FALSE(one_less.is_race_excluded());
}

TEST_CASE("an addition of more than the size of the group is no counter") {
  Appending threads;
  threads.amount = threads.size + Bits(32, 1);
  CHECK_FALSE(threads.is_race_excluded());  // the sum of all additions is not known
}

TEST_CASE("lanes without a rank write to the same place") {
  Appending threads;
  threads.is_ranked = false;
  CHECK_FALSE(threads.is_race_excluded());
}

TEST_CASE("what another lane gives than the one that adds is not known") {
  Appending threads;
  threads.source = Bits(32, 31) - count_leading_zeros(threads.group.mask);
  CHECK_FALSE(threads.is_race_excluded());
}

TEST_CASE("lanes that keep what they have") {
  Appending threads;
  threads.source = lane_of(threads.thread());
  CHECK_FALSE(threads.is_race_excluded());
}

TEST_CASE("more than one lane of a group adds") {
  Appending one, all;
  CHECK(one.has_limit());
  all.adds = all.active;
  CHECK_FALSE(all.has_limit());
  Appending threads;
  threads.adds = threads.active;
  CHECK_FALSE(threads.is_race_excluded());
}

TEST_CASE("a group of which perhaps no lane adds") {
  Appending threads;
  threads.adds = threads.adds & threads.graph().variable(1, "perhaps");
  CHECK_FALSE(threads.is_race_excluded());
}

TEST_CASE("additions that are not morally strong, or are not the only writes") {
  Appending narrow(2), reset;
  narrow.scope = Scope::cta;
  CHECK_FALSE(narrow.is_race_excluded());
  reset.has_reset = true;
  CHECK_FALSE(reset.is_race_excluded());
}

TEST_CASE("a lane of the mask that does not come to the exchange") {
  Appending leaves, stranger;
  leaves.exchanges = leaves.active & leaves.graph().variable(1, "stays");
  CHECK_FALSE(leaves.decide().not_excluded.empty());
  stranger.exchanges = stranger.active | stranger.graph().variable(1, "comes");
  CHECK_FALSE(stranger.decide().not_excluded.empty());
}

TEST_CASE("groups divide the lanes of a warp that are active") {
  Appending threads;
  threads.thread().groups.push_back(threads.group);
  OpenQuestions& questions = threads.questions();
  assume_groups(questions);
  ThreadPair& pair = *questions.pair(Neighbours::in_warp);
  const Bits& mask = threads.group.mask;
  const Bits other = pair.other(mask), both = threads.active & pair.other(threads.active);
  const Bits has_other = has_lane(mask, pair.other(lane_of(threads.thread())));
  CHECK(questions.never(Neighbours::in_warp, threads.active & ~pair.other(threads.active) & has_other));
  CHECK(questions.never(Neighbours::in_warp, both & has_other & ~equal(mask, other)));
  CHECK(questions.never(Neighbours::in_warp, both & ~has_other & ~is_zero(mask & other)));
  CHECK_FALSE(questions.never(Neighbours::in_warp, both & has_other));
  CHECK_FALSE(questions.never(Neighbours::in_warp, both & ~has_other));
}
