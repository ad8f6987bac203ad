#include "solver/algebra/known_values.hpp"

#include <algorithm>

namespace ptxmc {

void KnownValues::include(const Bits& bits) {
  if (bits.is_constant()) return;
  std::vector<const Term*> open{bits.term()};
  while (!open.empty()) {
    const Term* term = open.back();
    open.pop_back();
    if (slot_of(term) != none) continue;
    if (term->number >= slots_.size()) slots_.resize(std::size_t{2} * term->number + 1, none);
    slots_[term->number] = 0;  // numbered by prepare()
    terms_.push_back(term);
    for (unsigned i = 0; i < term->arity(); ++i) open.push_back(term->operands[i]);
  }
}

void KnownValues::prepare() {
  std::sort(terms_.begin(), terms_.end(), [](const Term* a, const Term* b) { return a->number < b->number; });
  values_.assign(terms_.size(), Bits());
  first_user_.assign(terms_.size() + 2, 0);
  for (Slot slot = 0; slot < terms_.size(); ++slot) {
    const Term* term = terms_[slot];
    slots_[term->number] = slot;
    if (term->op == Operator::constant) values_[slot] = Bits(term);
    if (term->op == Operator::variable) {
      if (term->variable >= variables_.size()) variables_.resize(term->variable + 1, none);
      variables_[term->variable] = slot;
    }
    for (unsigned i = 0; i < term->arity(); ++i) ++first_user_[slot_of(term->operands[i]) + 2];
  }
  for (Slot slot = 2; slot < first_user_.size(); ++slot) first_user_[slot] += first_user_[slot - 1];
  users_.resize(first_user_.back());
  nodes_.resize(terms_.size());
  for (Slot slot = 0; slot < terms_.size(); ++slot) {
    Node& node = nodes_[slot];
    node.op = terms_[slot]->op;
    node.arity = terms_[slot]->arity();
    for (unsigned i = 0; i < node.arity; ++i) {
      node.operands[i] = slot_of(terms_[slot]->operands[i]);
      users_[first_user_[node.operands[i] + 1]++] = slot;
    }
  }
}

void KnownValues::assign(VariableId variable, const Bits& constant) {
  if (variable >= variables_.size() || variables_[variable] == none) return;
  const Slot slot = variables_[variable];
  check(values_[slot].width() == 0, "an unknown is given two values");
  check(constant.is_constant() && constant.width() == terms_[slot]->width, "an unknown is given no value");
  const std::size_t before = trail_.size();
  learn(slot, constant);
  for (std::size_t next = before; next < trail_.size(); ++next) {
    const Slot operand = trail_[next];
    for (Slot user = first_user_[operand]; user < first_user_[operand + 1]; ++user) {
      Bits value;
      if (values_[users_[user]].width() == 0 && evaluate(users_[user], value)) learn(users_[user], value);
    }
  }
}

KnownValues::Dependents KnownValues::dependents(VariableId variable, std::span<const Bits> conditions) const {
  std::vector<bool> is_asked(terms_.size()), depends(terms_.size());
  for (const Bits& condition : conditions)
    if (!condition.is_constant()) is_asked[slot_of(condition.term())] = true;
  for (Slot slot = static_cast<Slot>(terms_.size()); slot-- > 0;)
    for (unsigned i = 0; is_asked[slot] && i < nodes_[slot].arity; ++i)
      is_asked[nodes_[slot].operands[i]] = true;
  Dependents result;
  if (variable >= variables_.size() || variables_[variable] == none) return result;
  depends[variables_[variable]] = true;
  for (Slot slot = 0; slot < terms_.size(); ++slot) {
    for (unsigned i = 0; !depends[slot] && i < nodes_[slot].arity; ++i)
      depends[slot] = depends[nodes_[slot].operands[i]];
    if (depends[slot] && is_asked[slot] && slot != variables_[variable]) result.push_back(slot);
  }
  return result;
}

void KnownValues::suppose(VariableId variable, const Bits& constant, const Dependents& dependents) {
  learn(variables_[variable], constant);
  for (const Slot slot : dependents) {
    Bits value;
    if (values_[slot].width() == 0 && evaluate(slot, value)) learn(slot, value);
  }
}

void KnownValues::learn(Slot slot, const Bits& value) {
  values_[slot] = value;
  trail_.push_back(slot);
}

bool KnownValues::evaluate(Slot slot, Bits& value) const {
  const Node& node = nodes_[slot];
  const Bits* operands[3] = {&values_[slot], &values_[slot], &values_[slot]};
  bool all = true;
  for (unsigned i = 0; i < node.arity; ++i) {
    operands[i] = &values_[node.operands[i]];
    all = all && operands[i]->width() != 0;
  }
  if (node.op == Operator::ite && operands[0]->width() != 0) {
    value = *operands[operands[0]->is_true() ? 1 : 2];
    return value.width() != 0;
  }
  if (all) {
    value = operate(*terms_[slot], *operands[0], *operands[1], *operands[2]);
    return true;
  }
  if (node.op != Operator::bit_and && node.op != Operator::bit_or) return false;
  const unsigned width = terms_[slot]->width;
  const Bits decisive = node.op == Operator::bit_and ? Bits(width, 0) : ~Bits(width, 0);
  for (unsigned i = 0; i < 2; ++i) {
    if (operands[i]->width() == 0 || !identical(*operands[i], decisive)) continue;
    value = decisive;
    return true;
  }
  return false;
}

const Bits* KnownValues::find(const Bits& bits) const {
  if (bits.is_constant()) return &bits;
  const Slot slot = slot_of(bits.term());
  check(slot != none, "the value of a term that was not included");
  return values_[slot].width() == 0 ? nullptr : &values_[slot];
}

void KnownValues::undo_to(std::size_t mark) {
  for (; trail_.size() > mark; trail_.pop_back()) values_[trail_.back()] = Bits();
}

}  // namespace ptxmc
