#include "solver/value_sets.hpp"

#include <algorithm>
#include <map>

namespace ptxmc {
namespace {

constexpr std::size_t most_values = 64;

class Flow {
 public:
  explicit Flow(const EventStructure& structure) : structure_(structure), values_(structure.events.size()) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      values_[id].emplace();
      const Event& event = structure.events[id];
      // The value of a read may be known already.
      const bool is_open = !event.value.is_constant() && event.value.term()->op == Operator::variable;
      if (event.is_read() && is_open) reader_[event.value.term()->variable] = id;
      if (event.is_write()) writes_.push_back(id);
    }
  }

  std::vector<ValueSet> run() {
    for (std::size_t round = 0; round <= writes_.size(); ++round) {
      bool changed = false;
      auto after = values_;
      for (EventId id = 0; id < static_cast<EventId>(values_.size()); ++id) {
        const Event& event = structure_.events[id];
        if (!values_[id] || !event.is_memory_access()) continue;
        ValueSet next = event.is_read() ? read_values(event) : written_values(event);
        if (next && next->size() > most_values) next.reset();
        changed = changed || !next || next->size() != values_[id]->size();
        after[id] = std::move(next);
      }
      values_ = std::move(after);
      if (!changed) break;
    }
    return std::move(values_);
  }

 private:
  static void insert(std::vector<Bits>& set, const Bits& value) {
    if (std::none_of(set.begin(), set.end(), [&](const Bits& known) { return identical(known, value); }))
      set.push_back(value);
  }

  ValueSet read_values(const Event& read) const {
    std::vector<Bits> result;
    for (EventId id : writes_) {
      const Event& write = structure_.events[id];
      if (write.location.is_constant() && !read.may_touch(write.location.to_u64(), write.size)) continue;
      if (read.location.is_constant() && !write.may_touch(read.location.to_u64(), read.size)) continue;
      const Bits distance = write.location - read.location;
      const Bits overlap =
          less_unsigned(distance, Bits(64, read.size)) | less_unsigned(-distance, Bits(64, write.size));
      if (overlap.is_false()) continue;
      const bool same = write.size == read.size && equal(distance, Bits(64, 0)).is_true();
      if (!same || !values_[id]) return std::nullopt;
      for (const Bits& value : *values_[id]) insert(result, value);
    }
    return result;
  }

  ValueSet written_values(const Event& write) const {
    if (write.value.is_constant()) return std::vector<Bits>{write.value};
    const auto variables = variables_of(write.value);
    std::size_t combinations = 1;
    for (VariableId variable : variables) {
      const auto reader = reader_.find(variable);
      if (reader == reader_.end() || !values_[reader->second]) return std::nullopt;
      combinations *= values_[reader->second]->size();
      if (combinations > most_values * most_values) return std::nullopt;
    }
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
};

}  // namespace

std::vector<ValueSet> possible_values(const EventStructure& structure) { return Flow(structure).run(); }

}  // namespace ptxmc
