#include "solver/encoding/symbolic_algebra.hpp"

#include <stdexcept>

#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "model/relations/related_pairs.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/arrival_order.hpp"
#include "solver/meetings/chosen_phases.hpp"

namespace ptxmc {
namespace {

using Value = cat::Value<SymbolicAlgebra>;

/// Calls `visit(Bits&)` for every member or pair that may be in.
template <class Visit>
void for_each_open(Value& value, const Visit& visit) {
  if (auto* set = std::get_if<SymbolicSet>(&value)) {
    for (Bits& member : set->members)
      if (!member.is_false()) visit(member);
  } else {
    for (auto& row : std::get<SymbolicRelation>(value).rows)
      for (auto& entry : row) visit(entry.holds);
  }
}

std::size_t size_of(std::vector<Value>& values) {
  std::size_t count = 0;
  for (Value& value : values) for_each_open(value, [&](const Bits&) { ++count; });
  return count;
}

bool same(const Value& a, const Value& b) {
  if (const auto* set = std::get_if<SymbolicSet>(&a)) {
    const auto& other = std::get<SymbolicSet>(b);
    for (std::size_t i = 0; i < set->members.size(); ++i)
      if (!identical(set->members[i], other.members[i])) return false;
    return true;
  }
  const auto& rows = std::get<SymbolicRelation>(a).rows;
  const auto& others = std::get<SymbolicRelation>(b).rows;
  for (std::size_t from = 0; from < rows.size(); ++from) {
    if (rows[from].size() != others[from].size()) return false;
    for (std::size_t i = 0; i < rows[from].size(); ++i)
      if (rows[from][i].to != others[from][i].to || !identical(rows[from][i].holds, others[from][i].holds))
        return false;
  }
  return true;
}

/// Adds `step → value` for every member or pair of the step's result.
void require_included(const Value& step, const Value& value, std::vector<Bits>& constraints) {
  if (const auto* set = std::get_if<SymbolicSet>(&step)) {
    for (std::size_t i = 0; i < set->members.size(); ++i)
      constraints.push_back(implies(set->members[i], std::get<SymbolicSet>(value).members[i]));
    return;
  }
  const auto& rows = std::get<SymbolicRelation>(step).rows;
  for (std::size_t from = 0; from < rows.size(); ++from)
    for (const auto& [to, holds] : rows[from])
      constraints.push_back(
          implies(holds, std::get<SymbolicRelation>(value).at(static_cast<EventId>(from), to)));
}

}  // namespace

SymbolicAlgebra::SymbolicAlgebra(const EventStructure& structure, TermGraph& graph)
    : SymbolicAlgebra(structure, graph, choose_barrier_phases(structure, graph)) {}

SymbolicAlgebra::SymbolicAlgebra(const EventStructure& structure, TermGraph& graph, BarrierPhases phases)
    : structure_(structure),
      graph_(graph),
      atoms_(atoms_of(structure)),
      reads_from_(choose_reads_from(structure, atoms_, graph)),
      phases_(std::move(phases)),
      constraints_{come_about_in_order(structure, phases_, reads_from_, graph)} {}

std::vector<Bits> SymbolicAlgebra::constraints() const {
  std::vector<Bits> all = constraints_;
  all.insert(all.end(), reads_from_.constraints.begin(), reads_from_.constraints.end());
  all.insert(all.end(), phases_.constraints.begin(), phases_.constraints.end());
  return all;
}

std::vector<Bits> SymbolicAlgebra::happens() const {
  std::vector<Bits> conditions;
  for (const Event& event : structure_.events) conditions.push_back(event.condition);
  return conditions;
}

SymbolicSet SymbolicAlgebra::universe() { return {happens()}; }

SymbolicSet SymbolicAlgebra::empty_set() {
  return {std::vector<Bits>(structure_.events.size(), Bits::boolean(false))};
}

SymbolicRelation SymbolicAlgebra::empty_relation() { return SymbolicRelation(structure_.events.size()); }

SymbolicSet SymbolicAlgebra::base_set(const std::string& name) {
  const BaseSet* base = find_base_set(name);
  if (!base) throw std::logic_error("no base set " + name);
  SymbolicSet set = empty_set();
  for (std::size_t i = 0; i < set.members.size(); ++i)
    if (base->contains(structure_.events[i])) set.members[i] = structure_.events[i].condition;
  return set;
}

SymbolicRelation SymbolicAlgebra::base_relation(const std::string& name) {
  const BaseRelation* base = find_base_relation(name);
  if (!base) throw std::logic_error("no base relation " + name);
  if (!base->holds) {
    if (name == "rf") return reads_from_.relation(structure_.events.size());
    if (name == "syncbar") return phases_.meet;
    throw std::logic_error("no meaning for the base relation " + name);
  }
  SymbolicRelation relation = empty_relation();
  EventId last = -1;
  for_each_related(
      *base, *structure_.program, structure_.events, [&](EventId a, EventId b, const Bits& holds) {
        if (a != std::exchange(last, a)) TimeLimit::check();
        const Bits both = holds & structure_.events[a].condition & structure_.events[b].condition;
        if (!both.is_false()) relation.rows[a].push_back({b, both});
      });
  return relation;
}

SymbolicSet SymbolicAlgebra::unite(const Set& a, const Set& b) {
  SymbolicSet result = a;
  for (std::size_t i = 0; i < a.members.size(); ++i) result.members[i] = a.members[i] | b.members[i];
  return result;
}

SymbolicSet SymbolicAlgebra::intersect(const Set& a, const Set& b) {
  SymbolicSet result = a;
  for (std::size_t i = 0; i < a.members.size(); ++i) result.members[i] = a.members[i] & b.members[i];
  return result;
}

SymbolicSet SymbolicAlgebra::subtract(const Set& a, const Set& b) {
  SymbolicSet result = a;
  for (std::size_t i = 0; i < a.members.size(); ++i) result.members[i] = a.members[i] & ~b.members[i];
  return result;
}

SymbolicSet SymbolicAlgebra::complement(const Set& set) { return subtract(universe(), set); }

SymbolicRelation SymbolicAlgebra::complement(const Relation& relation) {
  return ptxmc::subtract(product(universe(), universe()), relation);
}

SymbolicRelation SymbolicAlgebra::closure(const Relation& relation, cat::Use use) {
  return use == cat::Use::exact ? ptxmc::closure(relation) : closure_above(relation, graph_, constraints_);
}

SymbolicRelation SymbolicAlgebra::from_reads(const Relation& coherence, cat::Use) {
  return ptxmc::from_reads(structure_, reads_from_, coherence);
}

SymbolicRelation SymbolicAlgebra::orientations(const std::string& name, const Relation& related) {
  std::vector<std::map<EventId, Bits>> rows(structure_.events.size());
  const SymbolicRelation either = ptxmc::unite(related, ptxmc::inverse(related));
  for (EventId a = 0; a < static_cast<EventId>(rows.size()); ++a)
    for (const auto& [b, holds] : either.rows[a]) {
      if (b <= a) continue;
      const Bits forward = graph_.variable(1, name);
      rows[a].emplace(b, holds & forward);
      rows[b].emplace(a, holds & ~forward);
    }
  SymbolicRelation chosen = empty_relation();
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (const auto& [b, holds] : rows[a]) chosen.rows[a].push_back({b, holds});
  choices_.insert_or_assign(name, chosen);
  return chosen;
}

SymbolicRelation SymbolicAlgebra::coherence(bool total) {
  const SymbolicSet all_writes = base_set("W");
  const SymbolicSet initial = base_set("IW");
  const SymbolicSet writes = subtract(all_writes, initial);
  const SymbolicRelation location = base_relation("loc");
  const SymbolicRelation overlapping = ptxmc::intersect(location, product(writes, writes));
  SymbolicRelation order = empty_relation();
  if (total) {
    order = orientations("co", overlapping);
  } else {
    for (std::size_t a = 0; a < order.rows.size(); ++a)
      for (const auto& [b, holds] : overlapping.rows[a])
        if (static_cast<EventId>(a) != b) order.rows[a].push_back({b, holds & graph_.variable(1, "co")});
  }
  constraints_.push_back(is_ranked(order, graph_));
  const SymbolicRelation first = ptxmc::intersect(location, product(initial, writes));
  // A total order relates all overlapping writes already.
  if (!total) order = ptxmc::closure(order);
  order = ptxmc::unite(order, first);
  choices_.insert_or_assign("co", order);
  return order;
}

std::vector<Value> SymbolicAlgebra::least_fixpoint(std::span<const cat::Kind> kinds,
                                                   const cat::Step<SymbolicAlgebra>& step, cat::Use use) {
  std::vector<Value> empty;
  for (cat::Kind kind : kinds) {
    if (kind == cat::Kind::set)
      empty.emplace_back(empty_set());
    else
      empty.emplace_back(empty_relation());
  }
  // An upper bound: every open pair counts as certain.
  std::vector<Value> may = empty;
  for (std::size_t before = 0;; before = size_of(may)) {
    may = step(may);
    for (Value& value : may) for_each_open(value, [](Bits& holds) { holds = Bits::boolean(true); });
    if (size_of(may) == before) break;
  }
  if (use == cat::Use::exact) {
    constexpr std::size_t limit = 2'000;
    if (size_of(may) > limit) throw Unsupported("a negated `let rec` over so many events", {});
    std::vector<Value> current = empty;
    for (std::size_t round = 0; round <= size_of(may); ++round) {
      auto next = step(current);
      bool stable = true;
      for (std::size_t i = 0; i < next.size(); ++i) stable = stable && same(next[i], current[i]);
      current = std::move(next);
      if (stable) break;
    }
    return current;
  }
  for (Value& value : may) for_each_open(value, [&](Bits& holds) { holds = graph_.variable(1, "let rec"); });
  const auto next = step(may);
  for (std::size_t i = 0; i < next.size(); ++i) require_included(next[i], may[i], constraints_);
  return may;
}

Bits SymbolicAlgebra::is_empty(const Set& set, cat::Use) {
  Bits result = Bits::boolean(true);
  for (const Bits& member : set.members) result = result & ~member;
  return result;
}

Bits SymbolicAlgebra::is_acyclic(const Relation& relation, cat::Use use) {
  return use == cat::Use::exact ? ptxmc::is_acyclic(relation) : is_ranked(relation, graph_);
}

}  // namespace ptxmc
