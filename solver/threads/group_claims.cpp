#include "solver/threads/group_claims.hpp"

#include <algorithm>

#include "solver/threads/group_facts.hpp"
#include "solver/threads/group_leader.hpp"

namespace ptxmc {

namespace {

/// A value of a thread which is that read by an addition, of its own or by the leader of its group.
struct Claim {
  Bits condition, value;
  const Counter* counter = nullptr;
  const Addition* addition = nullptr;
  const OpenGroup* group = nullptr;  ///< null: the addition is its own
  const GroupExchange* exchange = nullptr;
};

class Claims {
 public:
  explicit Claims(OpenQuestions& questions) : questions_(questions), thread_(questions.thread()) {}

  /// Whether the result of an exchange is, in all lanes of the group, what the leader has read when it added.
  bool are_shared(const GroupExchange& exchange, const Bits& result, const Addition& addition) {
    const OpenGroup& group = thread_.groups[exchange.group];
    if (addition.group != nullptr && addition.group != &group) return false;
    const Bits &adds = addition.read->condition, &value = addition.read->value;
    if (result.width() != value.width()) return false;
    const auto leader = leader_of(questions_, group, adds);
    if (!leader) return false;
    const Bits leads = exchange.condition & is_leader(thread_, group, *leader);
    const Bits differs = exchange.condition & adds & ~equal(result, value);
    if (!questions_.never(leads & ~adds) || !questions_.never(definition(thread_, exchange) & differs))
      return false;
    ThreadPair* const pair = questions_.pair(Neighbours::in_warp);
    if (pair == nullptr) return true;
    const Bits adds_other = exchange.condition & pair->other(exchange.condition & adds);
    return questions_.never(Neighbours::in_warp, definition(thread_, exchange, *pair) &
                                                     are_in_group(group, *pair) & adds_other &
                                                     ~equal(result, pair->other(value)));
  }

 private:
  OpenQuestions& questions_;
  const OpenThread& thread_;
};

/// What is known of two claims of the two threads of a pair.
Bits relation_of(const Claim& own, const Claim& of_other, ThreadPair& pair) {
  const Bits both = own.condition & pair.other(of_other.condition), value = pair.other(of_other.value);
  const Bits apart = are_apart(own.value, own.addition->amount, value, pair.other(of_other.addition->amount));
  if (own.addition != of_other.addition) return implies(both, apart);
  const OpenGroup* const group = own.group != nullptr ? own.group : of_other.group;
  if (of_other.group != nullptr && of_other.group != group) return Bits::boolean(true);
  if (pair.relation() != Neighbours::in_warp) return implies(both, apart);
  const Bits is_one = are_in_group(*group, pair);
  return implies(both & is_one, equal(own.value, value)) & implies(both & ~is_one, apart);
}

void assume_relations(OpenQuestions& questions, const std::vector<Claim>& claims) {
  using enum Neighbours;
  for (const Neighbours relation : {in_warp, across_warps, across_ctas}) {
    ThreadPair* const pair = questions.pair(relation);
    if (pair == nullptr) continue;
    for (const Claim& own : claims)
      for (const Claim& other : claims)
        if (own.counter == other.counter && (own.group != nullptr || other.group != nullptr))
          questions.assume(relation, relation_of(own, other, *pair));
  }
}

}  // namespace

void assume_claims(OpenQuestions& questions, const std::vector<Counter>& counters) {
  const OpenThread& thread = questions.thread();
  Claims all(questions);
  std::vector<Claim> claims;
  for (const Counter& counter : counters)
    for (const Addition& addition : counter.additions)
      claims.push_back({addition.read->condition, addition.read->value, &counter, &addition});
  const std::size_t own = claims.size();
  for (const GroupExchange& exchange : thread.group_exchanges)
    for (std::size_t i = 0; i < own; ++i) {
      const Claim claim = claims[i];  // claims are added below
      const Bits& result = exchange.results.front();
      if (!all.are_shared(exchange, result, *claim.addition)) continue;
      claims.push_back({exchange.condition, result, claim.counter, claim.addition,
                        &thread.groups[exchange.group], &exchange});
      questions.assume(
          implies(exchange.condition, is_within(*claim.counter, result, claim.addition->amount)) &
          implies(exchange.condition & claim.condition, equal(result, claim.value)));
      break;
    }
  for (const GroupExchange& exchange : thread.group_exchanges) {
    const auto is_result = [&](const Claim& claim) { return claim.exchange == &exchange; };
    if (std::ranges::any_of(claims, is_result)) continue;
    questions.assume(definition(thread, exchange));
    if (ThreadPair* const pair = questions.pair(Neighbours::in_warp))
      questions.assume(Neighbours::in_warp, definition(thread, exchange, *pair));
  }
  assume_relations(questions, claims);
}

}  // namespace ptxmc
