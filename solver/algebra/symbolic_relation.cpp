#include "solver/algebra/symbolic_relation.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "solver/algebra/conjuncts.hpp"
#include "solver/algebra/strongly_connected.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {
namespace {

using Row = std::vector<SymbolicRelation::Entry>;

/// Collects for each event the disjunction of the added values, and returns them as a row.
class RowBuilder {
 public:
  explicit RowBuilder(std::size_t event_count) : values_(event_count, Bits::boolean(false)) {}

  void add(EventId to, const Bits& holds) {
    if (holds.is_false()) return;
    if (values_[to].is_false()) touched_.push_back(to);
    values_[to] = values_[to] | holds;
  }

  const Bits& at(EventId to) const { return values_[to]; }

  Row take() {
    TimeLimit::check();
    std::sort(touched_.begin(), touched_.end());
    Row row;
    row.reserve(touched_.size());
    for (EventId to : touched_) {
      row.push_back({to, values_[to]});
      values_[to] = Bits::boolean(false);
    }
    touched_.clear();
    return row;
  }

 private:
  std::vector<Bits> values_;
  std::vector<EventId> touched_;
};

void add_composition(RowBuilder& into, const Row& row, const SymbolicRelation& next) {
  for (const auto& [middle, first] : row)
    for (const auto& [to, second] : next.rows[middle]) into.add(to, first & second);
}

bool is_static(const SymbolicRelation& relation) {
  for (const Row& row : relation.rows)
    for (const auto& entry : row)
      if (!entry.holds.is_true()) return false;
  return true;
}

/// The closure of a relation whose pairs are all certain.
SymbolicRelation static_closure(const SymbolicRelation& relation) {
  SymbolicRelation result(relation.event_count());
  std::vector<bool> seen(relation.event_count());
  for (std::size_t from = 0; from < relation.rows.size(); ++from) {
    if (relation.rows[from].empty()) continue;
    std::fill(seen.begin(), seen.end(), false);
    std::vector<EventId> work{static_cast<EventId>(from)};
    while (!work.empty()) {
      const EventId event = work.back();
      work.pop_back();
      for (const auto& entry : relation.rows[event])
        if (!seen[entry.to]) {
          seen[entry.to] = true;
          work.push_back(entry.to);
        }
    }
    for (std::size_t to = 0; to < seen.size(); ++to)
      if (seen[to]) result.rows[from].push_back({static_cast<EventId>(to), Bits::boolean(true)});
  }
  return result;
}

/// The relation restricted to some events, which are renumbered by their index in `events`.
SymbolicRelation restricted(const SymbolicRelation& relation, const std::vector<EventId>& events,
                            const std::vector<int>& component) {
  SymbolicRelation result(events.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    for (const auto& [to, holds] : relation.rows[events[i]])
      if (component[to] == component[events[i]]) {
        const auto place = std::lower_bound(events.begin(), events.end(), to) - events.begin();
        result.rows[i].push_back({static_cast<EventId>(place), holds});
      }
  return result;
}

/// By event, the number of its strongly connected component among the pairs that may be related.
std::vector<int> components(const SymbolicRelation& relation) {
  std::vector<std::vector<int>> successors(relation.rows.size());
  for (std::size_t event = 0; event < successors.size(); ++event)
    for (const auto& pair : relation.rows[event]) successors[event].push_back(pair.to);
  return strong_components(successors);
}

/// Computes a closure from the closures inside strongly connected components, which `inside` computes.
/// Between components there are no cycles, so each row follows from rows computed before.
template <class Inside>
SymbolicRelation closure_by_components(const SymbolicRelation& relation, const Inside& inside) {
  const auto component = components(relation);
  std::vector<std::vector<EventId>> members;
  for (EventId event = 0; event < static_cast<EventId>(component.size()); ++event) {
    if (component[event] >= static_cast<int>(members.size())) members.resize(component[event] + 1);
    members[component[event]].push_back(event);
  }
  SymbolicRelation result(relation.event_count());
  RowBuilder row(relation.event_count());
  for (const auto& events : members) {
    std::vector<Row> leaving;
    for (EventId event : events) {
      for (const auto& [to, holds] : relation.rows[event]) {
        if (component[to] == component[event]) continue;
        row.add(to, holds);
        for (const auto& [further, reaches] : result.rows[to]) row.add(further, holds & reaches);
      }
      leaving.push_back(row.take());
    }
    const SymbolicRelation among = restricted(relation, events, component);
    const SymbolicRelation within = among.entry_count() == 0 ? among : inside(among);
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (const auto& [to, holds] : leaving[i]) row.add(to, holds);
      for (const auto& [middle, reaches] : within.rows[i]) {
        row.add(events[middle], reaches);
        if (static_cast<std::size_t>(middle) == i) continue;
        for (const auto& [to, holds] : leaving[middle]) row.add(to, reaches & holds);
      }
      result.rows[events[i]] = row.take();
    }
  }
  return result;
}

/// Representatives of events in a closure. An event without predecessors is represented by one that is
/// related to the same events; an event without successors by one to which the same events are related. Other
/// events represent themselves.
class Representatives {
 public:
  explicit Representatives(const SymbolicRelation& relation)
      : forwards_(representatives(relation, inverse(relation))),
        backwards_(representatives(inverse(relation), relation)) {}

  /// The event whose row of the closure is the row of this one.
  EventId of_first(EventId event) const { return forwards_[event]; }
  /// The event whose column of the closure is the column of this one.
  EventId of_second(EventId event) const { return backwards_[event]; }

 private:
  static bool same_row(const Row& a, const Row& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.to == y.to && identical(x.holds, y.holds);
    });
  }

  /// Events with a column, which paths may pass, come first.
  static std::vector<EventId> representatives(const SymbolicRelation& relation,
                                              const SymbolicRelation& columns) {
    std::vector<EventId> result(relation.event_count());
    std::map<std::vector<EventId>, std::vector<EventId>> known;  // by the events in their rows
    for (const bool passed : {true, false})
      for (std::size_t event = 0; event < relation.rows.size(); ++event) {
        if (columns.rows[event].empty() == passed) continue;
        const auto id = static_cast<EventId>(event);
        std::vector<EventId> targets;
        for (const auto& entry : relation.rows[event]) targets.push_back(entry.to);
        auto& candidates = known[std::move(targets)];
        const auto same = std::find_if(candidates.begin(), candidates.end(), [&](EventId other) {
          return !passed && same_row(relation.rows[event], relation.rows[other]);
        });
        result[event] = same == candidates.end() ? id : *same;
        if (same == candidates.end()) candidates.push_back(id);
      }
    return result;
  }

  std::vector<EventId> forwards_;
  std::vector<EventId> backwards_;
};

/// The same closure, computed with representatives of events that are related alike.
template <class Inside>
SymbolicRelation closure_by_representatives(const SymbolicRelation& relation, const Inside& inside) {
  const Representatives representatives(relation);
  SymbolicRelation reduced(relation.event_count());
  const auto count = static_cast<EventId>(relation.event_count());
  for (EventId from = 0; from < count; ++from) {
    if (representatives.of_first(from) != from) continue;
    for (const auto& entry : relation.rows[from])
      if (representatives.of_second(entry.to) == entry.to) reduced.rows[from].push_back(entry);
  }
  const SymbolicRelation closed = closure_by_components(reduced, inside);
  SymbolicRelation result(relation.event_count());
  RowBuilder row(relation.event_count());
  std::vector<std::vector<EventId>> represented(relation.event_count());
  for (EventId to = 0; to < count; ++to) represented[representatives.of_second(to)].push_back(to);
  for (EventId from = 0; from < count; ++from) {
    for (const auto& [to, holds] : closed.rows[representatives.of_first(from)])
      for (const EventId each : represented[to]) row.add(each, holds);
    result.rows[from] = row.take();
  }
  return result;
}

}  // namespace

Bits SymbolicRelation::at(EventId from, EventId to) const {
  const Row& row = rows[from];
  const auto place = std::lower_bound(row.begin(), row.end(), to,
                                      [](const Entry& entry, EventId id) { return entry.to < id; });
  return place != row.end() && place->to == to ? place->holds : Bits::boolean(false);
}

std::size_t SymbolicRelation::entry_count() const {
  std::size_t count = 0;
  for (const Row& row : rows) count += row.size();
  return count;
}

SymbolicRelation unite(const SymbolicRelation& a, const SymbolicRelation& b) {
  SymbolicRelation result(a.event_count());
  for (std::size_t from = 0; from < a.rows.size(); ++from) {
    auto i = a.rows[from].begin();
    auto j = b.rows[from].begin();
    const auto i_end = a.rows[from].end();
    const auto j_end = b.rows[from].end();
    Row& row = result.rows[from];
    row.reserve(std::max(a.rows[from].size(), b.rows[from].size()));
    while (i != i_end || j != j_end) {
      if (j == j_end || (i != i_end && i->to < j->to)) {
        row.push_back(*i++);
      } else if (i == i_end || j->to < i->to) {
        row.push_back(*j++);
      } else {
        row.push_back({i->to, i->holds | j->holds});
        ++i, ++j;
      }
    }
  }
  return result;
}

SymbolicRelation intersect(const SymbolicRelation& a, const SymbolicRelation& b) {
  SymbolicRelation result(a.event_count());
  for (std::size_t from = 0; from < a.rows.size(); ++from) {
    auto j = b.rows[from].begin();
    for (const auto& [to, holds] : a.rows[from]) {
      while (j != b.rows[from].end() && j->to < to) ++j;
      if (j == b.rows[from].end()) break;
      if (j->to != to) continue;
      const Bits both = holds & j->holds;
      if (!both.is_false()) result.rows[from].push_back({to, both});
    }
  }
  return result;
}

SymbolicRelation subtract(const SymbolicRelation& a, const SymbolicRelation& b) {
  SymbolicRelation result(a.event_count());
  for (std::size_t from = 0; from < a.rows.size(); ++from) {
    auto j = b.rows[from].begin();
    for (const auto& [to, holds] : a.rows[from]) {
      while (j != b.rows[from].end() && j->to < to) ++j;
      const bool also = j != b.rows[from].end() && j->to == to;
      const Bits left = also ? holds & ~j->holds : holds;
      if (!left.is_false()) result.rows[from].push_back({to, left});
    }
  }
  return result;
}

SymbolicRelation compose(const SymbolicRelation& a, const SymbolicRelation& b) {
  SymbolicRelation result(a.event_count());
  RowBuilder row(a.event_count());
  for (std::size_t from = 0; from < a.rows.size(); ++from) {
    add_composition(row, a.rows[from], b);
    result.rows[from] = row.take();
  }
  return result;
}

SymbolicRelation inverse(const SymbolicRelation& relation) {
  SymbolicRelation result(relation.event_count());
  for (std::size_t from = 0; from < relation.rows.size(); ++from)
    for (const auto& [to, holds] : relation.rows[from])
      result.rows[to].push_back({static_cast<EventId>(from), holds});
  return result;
}

SymbolicRelation product(const SymbolicSet& a, const SymbolicSet& b) {
  SymbolicRelation result(a.event_count());
  const auto size = static_cast<std::size_t>(
      std::ranges::count_if(b.members, [](const Bits& member) { return !member.is_false(); }));
  for (std::size_t from = 0; from < a.members.size(); ++from) {
    if (a.members[from].is_false()) continue;
    result.rows[from].reserve(size);
    for (std::size_t to = 0; to < b.members.size(); ++to) {
      const Bits both = a.members[from] & b.members[to];
      if (!both.is_false()) result.rows[from].push_back({static_cast<EventId>(to), both});
    }
  }
  return result;
}

SymbolicRelation identity(const SymbolicSet& set) {
  SymbolicRelation result(set.event_count());
  for (std::size_t event = 0; event < set.members.size(); ++event)
    if (!set.members[event].is_false())
      result.rows[event].push_back({static_cast<EventId>(event), set.members[event]});
  return result;
}

SymbolicSet domain(const SymbolicRelation& relation) {
  SymbolicSet result{std::vector<Bits>(relation.event_count(), Bits::boolean(false))};
  for (std::size_t from = 0; from < relation.rows.size(); ++from)
    for (const auto& entry : relation.rows[from]) result.members[from] = result.members[from] | entry.holds;
  return result;
}

SymbolicSet range(const SymbolicRelation& relation) { return domain(inverse(relation)); }

SymbolicRelation closure(const SymbolicRelation& relation) {
  if (is_static(relation)) return static_closure(relation);
  return closure_by_representatives(relation, [](const SymbolicRelation& among) {
    // After k rounds every path of at most 2^k pairs is included; no path needs more pairs than there are
    // events.
    SymbolicRelation result = among;
    for (std::size_t reach = 1; reach < among.event_count(); reach *= 2)
      result = unite(result, compose(result, result));
    return result;
  });
}

namespace {

/// Leaves out pairs of a relation that follow from two others: (a, c) follows from (a, b) and (b, c) if its
/// condition implies theirs. Pairs are left out one after the other, so each follows from the pairs that are
/// left, and the closure is the same. Of program order the pairs of neighbours remain, and of a phase of a
/// barrier, which relates all of its arrivals, about as many pairs as there are arrivals.
class Generators {
 public:
  explicit Generators(const SymbolicRelation& relation)
      : relation_(relation), count_(relation.event_count()), left_(count_ * count_, none) {
    for (std::size_t from = 0; from < count_; ++from)
      for (const auto& [to, holds] : relation.rows[from]) left(from, to) = number_of(holds);
  }

  SymbolicRelation find() {
    // Long pairs first: in program order they follow from shorter ones.
    for (std::size_t span = count_; span-- > 0;) {
      TimeLimit::check();
      for (std::size_t from = 0; from < count_; ++from) {
        if (from >= span) leave_out_if_derived(from, from - span);
        if (from + span < count_) leave_out_if_derived(from, from + span);
      }
    }
    SymbolicRelation result(count_);
    for (std::size_t from = 0; from < count_; ++from)
      for (const auto& entry : relation_.rows[from])
        if (left(from, static_cast<std::size_t>(entry.to)) != none) result.rows[from].push_back(entry);
    return result;
  }

 private:
  static constexpr unsigned none = 0;

  unsigned& left(std::size_t from, std::size_t to) { return left_[from * count_ + to]; }

  unsigned number_of(const Bits& holds) {
    const Term* term = holds.is_constant() ? nullptr : holds.term();
    const auto [number, is_new] = numbers_.try_emplace(term, static_cast<unsigned>(conditions_.size() + 1));
    if (is_new) conditions_.push_back(conjuncts(holds));
    return number->second;
  }

  void leave_out_if_derived(std::size_t from, std::size_t to) {
    const unsigned pair = left(from, to);
    if (pair == none) return;
    for (const auto& entry : relation_.rows[from]) {
      const auto middle = static_cast<std::size_t>(entry.to);
      if (middle == from || middle == to) continue;
      const unsigned first = left(from, middle), second = first == none ? none : left(middle, to);
      if (second == none || !implies(pair, first) || !implies(pair, second)) continue;
      left(from, to) = none;
      return;
    }
  }

  bool implies(unsigned a, unsigned b) {
    if (a == b) return true;
    const auto [known, is_new] = implies_.try_emplace({a, b}, false);
    if (is_new) known->second = std::ranges::includes(conditions_[a - 1], conditions_[b - 1]);
    return known->second;
  }

  const SymbolicRelation& relation_;
  const std::size_t count_;
  std::vector<unsigned> left_;                     // by pair that is left, the number of its condition
  std::map<const Term*, unsigned> numbers_;        // from 1
  std::vector<std::set<const Term*>> conditions_;  // as conjuncts, by number - 1
  std::map<std::pair<unsigned, unsigned>, bool> implies_;
};

/// Creates unknowns for the pairs of the closure, with the constraints that they include the relation and are
/// transitive.
SymbolicRelation unknown_closure(const SymbolicRelation& relation, TermGraph& graph,
                                 std::vector<Bits>& constraints) {
  SymbolicRelation may(relation.event_count()), must(relation.event_count());
  for (std::size_t from = 0; from < relation.rows.size(); ++from)
    for (const auto& [to, holds] : relation.rows[from]) {
      may.rows[from].push_back({to, Bits::boolean(true)});
      if (holds.is_true()) must.rows[from].push_back({to, Bits::boolean(true)});
    }
  may = static_closure(may);
  must = static_closure(must);
  const SymbolicRelation generators = Generators(relation).find();
  SymbolicRelation result(relation.event_count());
  for (std::size_t from = 0; from < may.rows.size(); ++from)
    for (const auto& entry : may.rows[from])
      result.rows[from].push_back({entry.to, must.at(static_cast<EventId>(from), entry.to).is_true()
                                                 ? Bits::boolean(true)
                                                 : graph.variable(1, "closure")});
  for (std::size_t from = 0; from < result.rows.size(); ++from) {
    TimeLimit::check();
    for (const auto& [to, holds] : generators.rows[from])
      constraints.push_back(implies(holds, result.at(static_cast<EventId>(from), to)));
    for (const auto& [middle, reaches] : result.rows[from])
      for (const auto& [to, holds] : generators.rows[middle])
        constraints.push_back(implies(reaches & holds, result.at(static_cast<EventId>(from), to)));
  }
  std::erase_if(constraints, [](const Bits& constraint) { return constraint.is_true(); });
  return result;
}

/// With fewer events there are few triples.
constexpr std::size_t smallest_ranked = 8;

/// Whether of every two different events one is related to the other.
bool is_tournament(const SymbolicRelation& relation) {
  for (std::size_t a = 0; a < relation.rows.size(); ++a) {
    if (relation.rows[a].size() + 1 < relation.rows.size()) return false;
    for (const auto& [b, holds] : relation.rows[a])
      if (static_cast<EventId>(a) != b && !(holds | relation.at(b, static_cast<EventId>(a))).is_true())
        return false;
  }
  return true;
}

/// The closure of a tournament orders its cycles. Each event gets a number, which is the same for all events
/// of a cycle, and precedes the events whose numbers are not smaller. This avoids transitivity constraints
/// for all triples.
SymbolicRelation ranked_closure(const SymbolicRelation& relation, TermGraph& graph,
                                std::vector<Bits>& constraints) {
  const auto count = static_cast<EventId>(relation.event_count());
  const auto width = static_cast<unsigned>(std::bit_width(relation.event_count() - 1));
  std::vector<Bits> ranks;
  for (EventId event = 0; event < count; ++event)
    ranks.push_back(graph.variable(width, "rank" + std::to_string(event)));
  const auto reaches = [&](EventId a, EventId b) { return less_equal_unsigned(ranks[a], ranks[b]); };
  SymbolicRelation result(relation.event_count());
  for (EventId a = 0; a < count; ++a) {
    Bits in_cycle = relation.at(a, a);
    for (EventId b = 0; b < count; ++b)
      if (a != b) in_cycle = in_cycle | (reaches(a, b) & reaches(b, a));
    for (EventId b = 0; b < count; ++b) result.rows[a].push_back({b, a == b ? in_cycle : reaches(a, b)});
    for (const auto& [b, holds] : relation.rows[a])
      if (a != b) constraints.push_back(implies(holds, reaches(a, b)));
  }
  return result;
}

}  // namespace

SymbolicRelation closure_above(const SymbolicRelation& relation, TermGraph& graph,
                               std::vector<Bits>& constraints) {
  if (is_static(relation)) return static_closure(relation);
  return closure_by_representatives(relation, [&](const SymbolicRelation& among) {
    if (among.event_count() >= smallest_ranked && is_tournament(among))
      return ranked_closure(among, graph, constraints);
    return unknown_closure(among, graph, constraints);
  });
}

Bits is_empty(const SymbolicRelation& relation) {
  Bits result = Bits::boolean(true);
  for (const Row& row : relation.rows)
    for (const auto& entry : row) result = result & ~entry.holds;
  return result;
}

Bits is_irreflexive(const SymbolicRelation& relation) {
  Bits result = Bits::boolean(true);
  for (std::size_t event = 0; event < relation.rows.size(); ++event)
    result = result & ~relation.at(static_cast<EventId>(event), static_cast<EventId>(event));
  return result;
}

Bits is_acyclic(const SymbolicRelation& relation) { return is_irreflexive(closure(relation)); }

Bits is_ranked(const SymbolicRelation& relation, TermGraph& graph) {
  const auto component = components(relation);
  std::map<int, unsigned> sizes;
  for (int number : component) ++sizes[number];
  std::vector<Bits> ranks(relation.event_count());
  Bits result = Bits::boolean(true);
  for (std::size_t from = 0; from < relation.rows.size(); ++from)
    for (const auto& [to, holds] : relation.rows[from]) {
      if (component[from] != component[to]) continue;
      if (static_cast<EventId>(from) == to) {
        result = result & ~holds;
        continue;
      }
      const unsigned width = std::bit_width(sizes[component[to]] - 1);
      for (std::size_t event : {from, static_cast<std::size_t>(to)})
        if (ranks[event].width() == 0) ranks[event] = graph.variable(width, "rank" + std::to_string(event));
      result = result & implies(holds, less_unsigned(ranks[from], ranks[to]));
    }
  return result;
}

}  // namespace ptxmc
