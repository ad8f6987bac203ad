#include "model/judge/concrete_relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "model/program/misuses.hpp"
#include "model/program/phases.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "model/relations/related_pairs.hpp"
#include "semantics/values/check.hpp"

namespace ptxmc {

static_assert(cat::RelationAlgebra<ConcreteRelations>);

namespace {

/// Whether the event accesses a byte in [first, first + count); addresses wrap around.
bool touches(const Event& event, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t location = event.location.to_u64();
  return event.is_memory_access() && (location - first < count || first - location < event.size);
}

}  // namespace

ConcreteRelations::ConcreteRelations(const Execution& execution) : execution_(execution) {}

BitSet ConcreteRelations::base_set(const std::string& name) const {
  const BaseSet* set = find_base_set(name);
  check(set != nullptr, "a base set that does not exist");
  BitSet result(size());
  for (std::size_t i = 0; i < size(); ++i)
    if (set->contains(execution_.events[i])) result.insert(i);
  return result;
}

BitMatrix ConcreteRelations::base_relation(const std::string& name) const {
  if (name == "rf") return reads_from();
  if (name == "syncbar") return met_at_barriers();
  const BaseRelation* relation = find_base_relation(name);
  check(relation != nullptr && relation->holds != nullptr, "a base relation that does not exist");
  BitMatrix result = empty_relation();
  for_each_related(*relation, *execution_.program, execution_.events,
                   [&](EventId a, EventId b, const Bits& holds) {
                     check(holds.is_true(), "an execution with an unknown");
                     result.insert(index(a), index(b));
                   });
  return result;
}

BitMatrix ConcreteRelations::reads_from() const {
  BitMatrix result = empty_relation();
  for (const ReadsFrom& source : execution_.reads_from)
    result.insert(index(source.write), index(source.read));
  return result;
}

BitMatrix ConcreteRelations::met_at_barriers() const {
  const auto& phase = execution_.barrier_phase;
  BitMatrix result = empty_relation();
  for (std::size_t a = 0; a < phase.size(); ++a)
    for (std::size_t b = 0; b < phase.size(); ++b)
      if (a != b && phase[a] >= 0 && phase[a] == phase[b]) result.insert(a, b);
  return result;
}

BitMatrix ConcreteRelations::from_reads(const BitMatrix& coherence, Use) const {
  BitMatrix result = empty_relation();
  for (const ReadsFrom& source : execution_.reads_from)
    coherence.for_each_successor(index(source.write), [&](std::size_t later) {
      const Event& event = execution_.events[later];
      if (event.is_write() && touches(event, source.first, source.count))
        result.insert(index(source.read), later);
    });
  return result;
}

BitMatrix ConcreteRelations::choice(const std::string& name) const {
  BitMatrix result = empty_relation();
  if (const auto found = execution_.choices.find(name); found != execution_.choices.end())
    for (const auto& [a, b] : found->second) result.insert(index(a), index(b));
  return result;
}

/// Whether `chosen` has exactly one direction of each pair in `pairs`, which is symmetric, and no other pair.
void ConcreteRelations::check_each_once(const std::string& name, const BitMatrix& pairs,
                                        const BitMatrix& chosen) {
  const BitMatrix unoriented = pairs - (chosen | chosen.inverse());
  for (const auto& [a, b] : unoriented.pairs())
    if (a < b) malformed_.push_back(fmt::format("'{}' does not relate the events {} and {}", name, a, b));
  for (const auto& [a, b] : (chosen & chosen.inverse()).pairs())
    if (a < b) malformed_.push_back(fmt::format("'{}' relates the events {} and {} both ways", name, a, b));
  for (const auto& [a, b] : (chosen - pairs).pairs())
    malformed_.push_back(fmt::format("'{}' relates the events {} and {}, which it must not", name, a, b));
}

BitMatrix ConcreteRelations::orientations(const std::string& name, const BitMatrix& related) {
  BitMatrix pairs = (related | related.inverse()) - BitMatrix::identity(universe());
  BitMatrix chosen = choice(name);
  check_each_once(name, pairs, chosen);
  return chosen;
}

BitMatrix ConcreteRelations::coherence(bool is_total) {
  const BitSet writes = base_set("W"), initial = base_set("IW");
  const BitMatrix overlap =
      (base_relation("loc") & BitMatrix::product(writes, writes)) - BitMatrix::identity(writes);
  const BitMatrix from_initial = overlap & BitMatrix::product(initial, writes - initial);
  const BitMatrix result = choice("co") | from_initial;
  const BitMatrix between_overlapping = result & overlap;
  if (is_total) check_each_once("co", overlap, between_overlapping);
  // Transitivity may relate writes that do not overlap, through overlapping writes between them.
  for (const auto& [a, b] : (result - between_overlapping.closure()).pairs())
    malformed_.push_back(fmt::format("'co' relates the events {} and {}, which it must not", a, b));
  for (const auto& [a, b] : ((result.compose(result) & overlap) - result).pairs())
    if (!is_total)
      malformed_.push_back(fmt::format("'co' is not transitive from event {} to event {}", a, b));
  if (!result.is_acyclic()) malformed_.push_back("'co' has a cycle");
  return result;
}

std::vector<cat::Value<ConcreteRelations>> ConcreteRelations::least_fixpoint(
    std::span<const cat::Kind> kinds, const cat::Step<ConcreteRelations>& step, Use) const {
  std::vector<cat::Value<ConcreteRelations>> current;
  for (const cat::Kind kind : kinds)
    if (kind == cat::Kind::set)
      current.emplace_back(empty_set());
    else
      current.emplace_back(empty_relation());
  for (;;) {
    auto next = step(current);
    if (next == current) return current;
    current = std::move(next);
  }
}

// --- Well-formed executions -------------------------------------------------------------------------------

namespace {

/// Checks a source of a read.
std::string wrong_source(const Execution& execution, const ReadsFrom& source) {
  const Event& read = execution.events.at(index(source.read));
  const Event& write = execution.events.at(index(source.write));
  if (!read.is_read() || !write.is_write())
    return fmt::format("event {} reads from event {}, but they are no read and write", source.read,
                       source.write);
  for (std::uint64_t byte = source.first; byte != source.first + source.count; ++byte) {
    const std::uint64_t in_read = byte - read.location.to_u64(), in_write = byte - write.location.to_u64();
    if (in_read >= read.size || in_write >= write.size)
      return fmt::format("event {} reads a byte from event {} that not both touch", source.read,
                         source.write);
    const Bits taken = read.value.extract(static_cast<unsigned>(in_read) * 8, 8);
    const Bits given = write.value.extract(static_cast<unsigned>(in_write) * 8, 8);
    if (!write.access.is_indeterminate && !identical(taken, given))
      return fmt::format("event {} reads another value from event {} than it wrote", source.read,
                         source.write);
  }
  return {};
}

void check_sources(const Execution& execution, std::vector<std::string>& wrong) {
  const std::size_t before = wrong.size();
  std::vector<std::vector<int>> sources(execution.events.size());  // by event, then byte
  for (std::size_t i = 0; i < execution.events.size(); ++i)
    if (execution.events[i].is_read()) sources[i].resize(execution.events[i].size);
  for (const ReadsFrom& source : execution.reads_from) {
    const std::string mistake = wrong_source(execution, source);
    if (!mistake.empty()) wrong.push_back(mistake);
    if (wrong.size() > before) continue;
    const std::uint64_t first = source.first - execution.events[index(source.read)].location.to_u64();
    for (std::uint64_t byte = 0; byte < source.count; ++byte) ++sources[index(source.read)][first + byte];
  }
  for (std::size_t i = 0; i < sources.size() && wrong.size() == before; ++i)
    for (const int count : sources[i])
      if (count != 1) wrong.push_back(fmt::format("event {} reads a byte from {} writes", i, count));
}

void check_barriers(const Execution& execution, std::vector<std::string>& wrong) {
  const auto& phase = execution.barrier_phase;
  for (std::size_t a = 0; a < phase.size(); ++a)
    for (std::size_t b = a + 1; b < phase.size(); ++b) {
      if (phase[a] < 0 || phase[a] != phase[b]) continue;
      const Event &first = execution.events[a], &second = execution.events[b];
      const bool same = first.kind == EventKind::barrier && second.kind == EventKind::barrier &&
                        first.barrier.agrees_but_for_id(second.barrier) &&
                        identical(first.barrier.id, second.barrier.id);
      if (!same) wrong.push_back(fmt::format("events {} and {} meet, but at no common barrier", a, b));
    }
}

}  // namespace

std::vector<std::string> malformed_parts(const Execution& execution) {
  std::vector<std::string> wrong;
  check_sources(execution, wrong);
  const std::size_t before = wrong.size();
  check_barriers(execution, wrong);
  if (wrong.size() == before) std::ranges::move(malformed_phases(execution), std::back_inserter(wrong));
  std::ranges::move(malformed_uses(execution), std::back_inserter(wrong));
  return wrong;
}

}  // namespace ptxmc
