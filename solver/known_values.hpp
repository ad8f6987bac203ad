#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "semantics/bits.hpp"

namespace ptxmc {

/// What is known of the values of terms while their unknowns are given values one after the other, and taken
/// back in the opposite order.
class KnownValues {
 public:
  /// A term whose value will be asked for. All are included before the first `assign`.
  void include(const Bits&);
  /// Call once after the last `include`.
  void prepare();

  /// The unknown has had no value. One that occurs in no included term is passed over.
  void assign(VariableId, const Bits& constant);
  /// Terms that depend on an unknown, operands before their users.
  using Dependents = std::vector<std::uint32_t>;
  /// Those that these conditions are made of.
  Dependents dependents(VariableId, std::span<const Bits> conditions) const;
  /// As `assign`, but only the values of these follow: to see what they would be, and to be taken back.
  void suppose(VariableId, const Bits& constant, const Dependents&);
  /// The value of an included term; null while it is open. A condition that is decided decides, whatever the
  /// operands that it does not choose.
  const Bits* find(const Bits&) const;
  bool is_true(const Bits& bits) const {
    const Bits* value = find(bits);
    return value && value->is_true();
  }
  bool is_false(const Bits& bits) const {
    const Bits* value = find(bits);
    return value && value->is_false();
  }

  /// How many values have become known: a state to go back to.
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
