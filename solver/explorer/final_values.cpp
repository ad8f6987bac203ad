#include "solver/explorer/final_values.hpp"

#include <algorithm>

#include "solver/algebra/bit_rows.hpp"
#include "solver/explorer/final_contents.hpp"

namespace ptxmc {

FinalValues::FinalValues(const EventStructure& structure, const std::vector<FinalTerm>& shown)
    : structure_(structure),
      shown_(shown),
      found_(shown.size()),
      found_below_(shown.size()),
      which_(shown.size()),
      numbers_(shown.size()) {}

void FinalValues::begin(const PartialExecution& execution) {
  if (possible_.empty()) find_atoms(execution);
  for (std::size_t i = 0; i < shown_.size(); ++i) find_possible(execution, i);
}

const FinalValues::Numbers* FinalValues::known_registers(const PartialExecution& execution) {
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const FinalTerm& term = shown_[i];
    if (term.kind != FinalTerm::Kind::thread_register) return nullptr;
    const Bits* value = execution.values().find(register_of(term));
    if (!value) return nullptr;
    numbers_[i] = shown_number(program(), term, *value);
  }
  return &numbers_;
}

const Bits& FinalValues::register_of(const FinalTerm& term) const {
  return structure_.final_registers[static_cast<std::size_t>(term.thread)][term.register_id];
}

void FinalValues::find_atoms(const PartialExecution& execution) {
  for (const FinalTerm& term : shown_) {
    Possible& possible = possible_.emplace_back();
    if (term.kind == FinalTerm::Kind::thread_register) {
      possible.register_value = &register_of(term);
      possible.values.resize(1);
      continue;
    }
    const unsigned size = program().memory[static_cast<std::size_t>(term.variable)].element_size;
    const auto atom = std::find_if(
        execution.atoms().begin(), execution.atoms().end(),
        [&](const Atom& place) { return place.first == first_byte(term) && place.count == size; });
    possible.is_simple = atom != execution.atoms().end();
    possible.atom = static_cast<std::size_t>(atom - execution.atoms().begin());
  }
}

std::uint64_t FinalValues::first_byte(const FinalTerm& term) const {
  const Variable& variable = program().memory[static_cast<std::size_t>(term.variable)];
  return variable.location + static_cast<unsigned>(term.element) * variable.element_size;
}

/// For a register its value; for memory that is one atom the value of each of its writes.
void FinalValues::find_possible(const PartialExecution& execution, std::size_t shown) {
  const FinalTerm& term = shown_[shown];
  Possible& result = possible_[shown];
  if (result.register_value) {
    result.values[0] = shown_number(program(), term, known_value(execution, *result.register_value));
    return;
  }
  result.writes.clear();
  result.values.clear();
  if (!result.is_simple) return;
  const unsigned size = program().memory[static_cast<std::size_t>(term.variable)].element_size;
  const BitSet& writers = execution.writers(result.atom);
  for_each_member(writers.words(), writers.word_count(), [&](std::size_t write) {
    const Bits& value = known_value(execution, structure_.events[write].value);
    const auto offset = static_cast<unsigned>(first_byte(term) - execution.events()[write].location.to_u64());
    result.writes.push_back(write);
    result.values.push_back(shown_number(program(), term, value.extract(8 * offset, 8 * size)));
  });
}

/// The distinct values that a shown term may have.
void FinalValues::find_values(const PartialExecution& execution, std::size_t shown,
                              const BitMatrix* coherence) {
  const Possible& possible = possible_[shown];
  if (possible.register_value || possible.writes.size() == 1) {
    found_[shown] = possible.values;
    return;
  }
  const FinalTerm& term = shown_[shown];
  std::vector<std::int64_t>& values = found_below_[shown];
  values.clear();
  if (!possible.is_simple) {
    const Variable& variable = program().memory[static_cast<std::size_t>(term.variable)];
    for (const Bits& value :
         final_contents(execution, variable, static_cast<std::size_t>(term.element), coherence))
      values.push_back(shown_number(program(), term, value));
  } else if (possible.writes.empty() || !coherence) {
    values = possible.values;
  } else {
    const BitSet& writers = execution.writers(possible.atom);
    for (std::size_t i = 0; i < possible.writes.size(); ++i)
      if (!coherence->contains_some(possible.writes[i], writers)) values.push_back(possible.values[i]);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  found_[shown] = values;
}

}  // namespace ptxmc
