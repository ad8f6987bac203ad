#include "solver/encoding/float_tables.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include "semantics/values/subterms.hpp"
#include "solver/algebra/value_sets.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc {
namespace {

constexpr std::size_t most_entries = 1024;

bool is_floating_point(Operator op) { return op >= Operator::float_add; }

/// Calls `visit` for each subterm of these values, from the top; `visit` returns whether to descend.
class Walk {
 public:
  explicit Walk(std::function<bool(const Term&)> visit) : visit_(std::move(visit)) {}

  void below(const Bits& value) { visit_subterms(value, is_seen_, visit_); }

  void below(const EventStructure& structure) {
    for (const Event& event : structure.events)
      for (const Bits* part : {&event.condition, &event.address, &event.location, &event.value,
                               &event.barrier.id, &event.barrier.predicate, &event.goes_on})
        below(*part);
    for (const auto& endings : structure.endings)
      for (const Ending& ending : endings) below(ending.condition);
    for (const auto& registers : structure.final_registers)
      for (const Bits& value : registers) below(value);
    for (const Violation& violation : structure.violations) below(violation.condition);
  }

 private:
  std::function<bool(const Term&)> visit_;
  NumberMap<bool> is_seen_;
};

/// Tables of terms over reads.
class Tables {
 public:
  explicit Tables(const EventStructure& structure) {
    const auto values = possible_values(structure);
    for (std::size_t id = 0; id < structure.events.size(); ++id) {
      const Event& event = structure.events[id];
      const bool is_open =
          event.is_read() && !event.value.is_constant() && event.value.term()->op == Operator::variable;
      if (is_open && values[id] && !values[id]->empty())
        choices_.emplace(event.value.term()->variable, Column{event.value, *values[id]});
    }
  }

  /// The table for a term; width 0 if there is none.
  Bits table(const Bits& term) const {
    std::map<VariableId, const Column*> by_variable;
    std::size_t entries = 1;
    const bool is_small = all_variables(term, [&](VariableId variable) {
      const auto column = choices_.find(variable);
      if (column == choices_.end()) return false;
      by_variable.emplace(variable, &column->second);
      entries *= column->second.values.size();
      return entries <= most_entries;
    });
    if (!is_small) return {};
    std::vector<const Column*> columns;
    for (const auto& [variable, column] : by_variable) columns.push_back(column);
    return entry(term, columns, {});
  }

 private:
  struct Column {
    Bits read;
    std::vector<Bits> values;
  };

  /// The part of the table in which the first columns have these values.
  static Bits entry(const Bits& term, std::span<const Column* const> columns,
                    const std::vector<std::pair<VariableId, Bits>>& chosen) {
    if (columns.empty()) {
      Substitution values;
      for (const auto& [variable, value] : chosen) values.set(variable, value);
      const Bits result = values.apply(term);
      return result.is_constant() ? result : Bits();
    }
    const Column& column = *columns.front();
    Bits result;
    for (const Bits& value : column.values) {
      auto more = chosen;
      more.emplace_back(column.read.term()->variable, value);
      const Bits rest = entry(term, columns.subspan(1), more);
      if (rest.width() == 0) return {};
      result = result.width() == 0 ? rest : ite(equal(column.read, value), rest, result);
    }
    return result;
  }

  std::map<VariableId, Column> choices_;
};

}  // namespace

bool has_floating_point(const EventStructure& structure) {
  bool any = false;
  Walk([&](const Term& term) {
    any = any || is_floating_point(term.op);
    return !any;
  }).below(structure);
  return any;
}

EventStructure with_float_tables(EventStructure structure) {
  if (!has_floating_point(structure)) return structure;
  const Tables tables(structure);
  Substitution known;
  Walk([&](const Term& term) {
    if (!is_floating_point(term.op)) return true;
    const Bits table = tables.table(Bits(&term));
    if (table.width() != 0) known.replace(Bits(&term), table);
    return table.width() == 0;
  }).below(structure);
  substitute(structure, known);
  return structure;
}

}  // namespace ptxmc
