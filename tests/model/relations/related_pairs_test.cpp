// The pairs of a base relation, found without a look at those that its pairing excludes.
#include "model/relations/related_pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <tuple>

#include "semantics/values/values.hpp"
#include "tests/model/executions.hpp"

using namespace ptxmc;

namespace {

bool is_write(const Event& event) { return event.is_write(); }

using Related = std::vector<std::tuple<EventId, EventId, Bits>>;

Related related_pairs(const BaseRelation& relation, const Program& program, const std::vector<Event>& events,
                      bool (*among)(const Event&)) {
  Related result;
  const auto add = [&](EventId a, EventId b, const Bits& holds) { result.emplace_back(a, b, holds); };
  for_each_related(relation, program, events, add, among);
  return result;
}

/// The same, asked of each two events.
Related all_related_pairs(const BaseRelation& relation, const Program& program,
                          const std::vector<Event>& events, bool (*among)(const Event&)) {
  Related result;
  const auto is_asked = [&](EventId id) { return !among || among(events[static_cast<std::size_t>(id)]); };
  const auto count = static_cast<EventId>(events.size());
  for (EventId a = 0; a < count; ++a)
    for (EventId b = 0; b < count; ++b) {
      if (!is_asked(a) || !is_asked(b)) continue;
      const Bits holds = relation.holds(program, events, a, b);
      if (!holds.is_false()) result.emplace_back(a, b, holds);
    }
  return result;
}

bool are_same(const Related& found, const Related& expected) {
  return std::ranges::equal(found, expected, [](const auto& one, const auto& other) {
    return std::get<0>(one) == std::get<0>(other) && std::get<1>(one) == std::get<1>(other) &&
           identical(std::get<2>(one), std::get<2>(other));
  });
}

class RandomEvents {
 public:
  explicit RandomEvents(unsigned seed) : random_(seed) {}

  void build() {
    for (int thread = 0; thread < threads; ++thread)
      test.thread({.cta = thread / 2, .cluster = thread / 4, .gpu = thread / 6});
    for (std::uint64_t first = 0; first < bytes; first += 16) test.initial(first, 16);
    for (int thread = 0; thread < threads; ++thread)
      for (int i = 0; i < 12; ++i) add(thread);
  }

  ExecutionBuilder test;

 private:
  static constexpr int threads = 8;
  static constexpr std::uint64_t bytes = 256;
  static constexpr EventId initial = 0;

  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(random_); }

  void add(int thread) {
    const Access how{.sem = below(2) ? Sem::relaxed : Sem::weak,
                     .scope = std::array{Scope::cta, Scope::gpu, Scope::sys}[below(3)]};
    const unsigned size = std::array{1U, 2U, 4U, 8U, 100U}[below(5)];
    const std::uint64_t location = below(8) == 0 ? ~0ULL - below(4) : below(bytes - 100);
    EventId added = -1;
    switch (below(5)) {
      case 0:
        added = test.fence(thread, {.sem = Sem::sc, .scope = Scope::gpu});
        break;
      case 1:
        added = test.read_modify_write(thread, below(13), 4, initial, 1, how);
        break;
      default:
        added = test.write(thread, location, 1, 0, how);
        test.event(added).size = size;
    }
    Event& event = test.event(added);
    if (below(4) == 0) event.strand = 1 + below(2);
    if (event.strand == 0 && event.kind == EventKind::write && below(4) == 0)
      event.location = event.address = graph_.variable(64, "a");
    if (below(4) == 0) event.data_dependencies.push_back(initial);
    event.may_outlive_cta = below(2);
  }

  std::mt19937 random_;
  TermGraph graph_;
};

}  // namespace

TEST_CASE("the pairs of each base relation are those for which it may hold") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    CAPTURE(seed);
    RandomEvents random(seed);
    random.build();
    const Program& program = random.test.program();
    const auto& events = random.test.execution().events;
    for (const BaseRelation& relation : base_relations()) {
      if (!relation.holds) continue;
      CAPTURE(relation.name);
      for (bool (*among)(const Event&) : {static_cast<bool (*)(const Event&)>(nullptr), is_write}) {
        const Related expected = all_related_pairs(relation, program, events, among);
        CHECK(are_same(related_pairs(relation, program, events, among), expected));
      }
    }
  }
}
