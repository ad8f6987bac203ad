#include "solver/algebra/value_sets.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "semantics/values/subterms.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {
namespace {

constexpr std::size_t most_values = 64;

class ValueFlow {
 public:
  explicit ValueFlow(const EventStructure& structure)
      : structure_(structure), values_(structure.events.size()), group_(structure.events.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      values_[id].emplace();
      const Event& event = structure.events[id];
      // The value of a read may be known already.
      const bool is_open = !event.value.is_constant() && event.value.term()->op == Operator::variable;
      if (event.is_read() && is_open) reader_[event.value.term()->variable] = id;
      if (event.is_write()) writes_.push_back(id);
    }
    for (const EventId id : writes_) {
      const Bits& location = event(id).location;
      largest_write_ = std::max<std::uint64_t>(largest_write_, event(id).size);
      if (location.is_constant())
        placed_writes_.emplace_back(location.to_u64(), id);
      else
        open_writes_.push_back(id);
    }
    std::ranges::sort(placed_writes_);
    group_events();
  }

  std::vector<ValueSet> run() {
    for (std::size_t round = 0;; ++round) {
      bool changed = false;
      for (const EventId id : feeding_)
        if (round <= rounds_[group_of(id)]) changed = update(id, read_values(id)) || changed;
      for (const EventId id : writes_)
        if (round <= rounds_[group_of(id)]) changed = update(id, written_values(event(id))) || changed;
      if (!changed) break;
    }
    for (EventId id = 0; id < static_cast<EventId>(values_.size()); ++id)
      if (event(id).is_read()) update(id, read_values(id));
    return std::move(values_);
  }

 private:
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  /// Updates a set. Returns whether it has changed.
  bool update(EventId id, ValueSet next) {
    ValueSet& known = values_[id];
    if (!known) return false;
    if (next && next->size() > most_values) next.reset();
    const bool changed = !next || next->size() != known->size();
    known = std::move(next);
    return changed;
  }

  // ---- groups of accesses between which values flow. A chain of flow has at most as many steps as its group
  // has writes that depend on reads

  void group_events() {
    std::set<EventId> feeding;
    rounds_.assign(values_.size(), 0);
    for (const EventId id : writes_) {
      if (event(id).value.is_constant()) continue;
      for (const VariableId variable : variables_of(event(id).value))
        if (const auto reader = reader_.find(variable); reader != reader_.end()) {
          feeding.insert(reader->second);
          join(reader->second, id);
        }
    }
    feeding_.assign(feeding.begin(), feeding.end());
    for (const EventId read : feeding_)
      for (const EventId write : possible_sources(event(read))) join(read, write);
    for (const EventId id : writes_)
      if (!event(id).value.is_constant()) ++rounds_[group_of(id)];
  }

  std::size_t group_of(EventId id) {
    std::size_t group = static_cast<std::size_t>(id);
    while (group_[group] != group) group = group_[group] = group_[group_[group]];
    return group;
  }
  void join(EventId a, EventId b) { group_[group_of(a)] = group_of(b); }

  static bool may_take(const Event& read, const Event& write) {
    if (write.location.is_constant() && !read.may_touch(write.location.to_u64(), write.size)) return false;
    if (read.location.is_constant() && !write.may_touch(read.location.to_u64(), read.size)) return false;
    const Bits distance = write.location - read.location;
    return !(less_unsigned(distance, Bits(64, read.size)) | less_unsigned(-distance, Bits(64, write.size)))
                .is_false();
  }

  /// The writes from which the read may take its value, by number.
  std::vector<EventId> possible_sources(const Event& read) const {
    std::vector<EventId> result;
    const auto add = [&](EventId id) {
      if (may_take(read, event(id))) result.push_back(id);
    };
    if (!read.location.is_constant()) {
      for (const EventId id : writes_) add(id);
      return result;
    }
    const std::uint64_t begin = read.location.to_u64(), end = begin + read.size;
    const std::uint64_t first = begin - std::min(begin, largest_write_);
    auto placed = std::ranges::lower_bound(placed_writes_, std::pair<std::uint64_t, EventId>(first, 0));
    for (; placed != placed_writes_.end() && placed->first < end; ++placed) add(placed->second);
    for (const EventId id : open_writes_) add(id);
    std::ranges::sort(result);
    return result;
  }

  static void insert(std::vector<Bits>& set, const Bits& value) {
    if (std::none_of(set.begin(), set.end(), [&](const Bits& known) { return identical(known, value); }))
      set.push_back(value);
  }

  ValueSet read_values(EventId reader) const {
    TimeLimit::check();
    const Event& read = event(reader);
    std::vector<EventId> sources;
    bool is_whole = true;
    for (const EventId id : possible_sources(read)) {
      const Event& write = event(id);
      const Bits offset = read.location - write.location;
      if (!offset.is_constant() || !values_[id]) return std::nullopt;
      const bool is_covered = offset.to_u64() < write.size && offset.to_u64() + read.size <= write.size;
      is_whole = is_whole && is_covered && !may_tear(reader, id);
      sources.push_back(id);
    }
    return is_whole ? whole_values(read, sources) : torn_values(read, sources);
  }

  ValueSet whole_values(const Event& read, const std::vector<EventId>& sources) const {
    std::vector<Bits> result;
    for (const EventId id : sources) {
      const auto offset = static_cast<unsigned>((read.location - event(id).location).to_u64());
      for (const Bits& value : *values_[id]) insert(result, value.extract(8 * offset, 8 * read.size));
    }
    return result;
  }

  bool may_tear(EventId read, EventId write) const {
    return event(write).kind != EventKind::initial_write && !are_whole_to_each_other(structure_, read, write);
  }

  /// The values if each byte may come from another write.
  ValueSet torn_values(const Event& read, const std::vector<EventId>& sources) const {
    std::vector<Bits> result{Bits()};
    for (unsigned byte = 0; byte < read.size; ++byte) {
      std::vector<Bits> contents;
      for (const EventId id : sources) {
        const Event& write = structure_.events[id];
        const std::uint64_t offset = (read.location - write.location).to_u64() + byte;
        if (offset >= write.size) continue;
        for (const Bits& value : *values_[id])
          insert(contents, value.extract(static_cast<unsigned>(8 * offset), 8));
      }
      std::vector<Bits> longer;
      for (const Bits& high : contents)
        for (const Bits& low : result) longer.push_back(byte == 0 ? high : concat(high, low));
      if (longer.size() > most_values) return std::nullopt;
      result = std::move(longer);
    }
    return result;
  }

  ValueSet written_values(const Event& write) const {
    if (write.value.is_constant()) return std::vector<Bits>{write.value};
    std::set<VariableId> variables;
    std::size_t combinations = 1;
    const bool are_few = all_variables(write.value, [&](VariableId variable) {
      const auto reader = reader_.find(variable);
      if (reader == reader_.end() || !values_[reader->second]) return false;
      variables.insert(variable);
      combinations *= values_[reader->second]->size();
      return combinations <= most_values * most_values;
    });
    if (!are_few) return std::nullopt;
    std::vector<Bits> result;
    for (std::size_t which = 0; which < combinations; ++which) {
      Substitution substitution;
      std::size_t rest = which;
      for (VariableId variable : variables) {
        const auto& choices = *values_[reader_.at(variable)];
        substitution.set(variable, choices[rest % choices.size()]);
        rest /= choices.size();
      }
      insert(result, substitution.apply(write.value));
      if (result.size() > most_values) return std::nullopt;
    }
    return result;
  }

  const EventStructure& structure_;
  std::vector<ValueSet> values_;
  std::map<VariableId, EventId> reader_;
  std::vector<EventId> writes_;
  std::vector<std::pair<std::uint64_t, EventId>>
      placed_writes_;                 // those at constant locations, in their order
  std::vector<EventId> open_writes_;  // the others
  std::uint64_t largest_write_ = 0;   // bytes
  std::vector<EventId> feeding_;      // the reads that writes depend on
  // By event: another event of the group (union-find); the last one names it.
  std::vector<std::size_t> group_;
  std::vector<std::size_t> rounds_;  // by name of the group
};

}  // namespace

bool are_whole_to_each_other(const EventStructure& structure, EventId a, EventId b) {
  const auto& events = structure.events;
  if (are_of_one_agent(events[a], events[b])) return true;
  static const BaseRelation& in_scopes = *find_base_relation("sr");
  return !is_weak(events[a]) && !is_weak(events[b]) &&
         in_scopes.holds(*structure.program, events, a, b).is_true();
}

std::vector<ValueSet> possible_values(const EventStructure& structure) { return ValueFlow(structure).run(); }

}  // namespace ptxmc
