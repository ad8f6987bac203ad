#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The values of terms while their unknowns get values one after the other; assignments are undone in reverse
/// order.
class KnownValues {
 public:
  /// Adds a term whose value is needed. Add all terms before the first `assign`.
  void include(const Bits&);
  /// Must be called once, after the last `include`.
  void prepare();

  /// Assigns a value to an unknown that has none yet. An unknown that occurs in no included term is ignored.
  void assign(VariableId, const Bits& constant);
  /// Terms that depend on an unknown, operands before their users.
  using Dependents = std::vector<std::uint32_t>;
  /// The terms among the subterms of these conditions that depend on the unknown.
  Dependents dependents(VariableId, std::span<const Bits> conditions) const;
  /// The same as `assign`, but computes only the values of `Dependents`. It is for trying a value and must be
  /// undone.
  void suppose(VariableId, const Bits& constant, const Dependents&);
  /// The value of an included term, or null while it is open. An `ite` whose condition is known has a value
  /// even if the other operand is open.
  const Bits* find(const Bits&) const;
  bool is_true(const Bits& bits) const {
    const Bits* value = find(bits);
    return value && value->is_true();
  }
  bool is_false(const Bits& bits) const {
    const Bits* value = find(bits);
    return value && value->is_false();
  }

  /// The number of known values, which identifies a state for undoing.
  std::size_t mark() const { return trail_.size(); }
  void undo_to(std::size_t mark);

 private:
  using Slot = std::uint32_t;
  static constexpr Slot none = ~Slot{0};

  /// An included term: its operands' slots.
  struct Node {
    Operator op = Operator::constant;
    std::uint32_t arity = 0;
    std::array<Slot, 3> operands{};
  };

  Slot slot_of(const Term* term) const { return term->number < slots_.size() ? slots_[term->number] : none; }
  void learn(Slot, const Bits& value);
  bool evaluate(Slot, Bits& value) const;

  std::vector<const Term*> terms_;  // by slot; operands before their users after prepare()
  std::vector<Node> nodes_;         // by slot
  std::vector<Slot> slots_;         // by number of the term
  std::vector<Slot> variables_;     // by variable
  std::vector<Bits> values_;        // width 0: open
  std::vector<Slot> first_user_;    // by slot, one more at the end: where its users begin
  std::vector<Slot> users_;
  std::vector<Slot> trail_;
};

}  // namespace ptxmc
