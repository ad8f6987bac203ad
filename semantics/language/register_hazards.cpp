#include "semantics/language/register_hazards.hpp"

#include <algorithm>

#include "semantics/language/form.hpp"

namespace ptxmc {

namespace {

template <class Names>
bool meet(const Names& some, const Names& others) {
  return std::ranges::any_of(
      some, [&](const auto& name) { return std::ranges::find(others, name) != others.end(); });
}

/// The condition of a shape, false unless it is given.
template <class ByShape>
Bits& condition_of(ByShape& conditions, Modifier shape) {
  for (auto& [other, condition] : conditions)
    if (other == shape) return condition;
  conditions.emplace_back(shape, Bits::boolean(false));
  return conditions.back().second;
}

}  // namespace

void RegisterHazards::fence() {
  is_empty_ = false;
  lacks_first_fence_ = Bits::boolean(false);
  touched_.clear();
}

void RegisterHazards::commit() {
  for (auto& [number, product] : products_) {
    product.later_groups =
        ite(product.is_committed, product.later_groups + Bits(32, 1), product.later_groups);
    product.is_committed = Bits::boolean(true);
  }
}

void RegisterHazards::wait(std::uint64_t most) {
  for (auto& [number, product] : products_) {
    const Bits is_complete = product.is_committed & ~less_unsigned(product.later_groups, Bits(32, most));
    product.is_running = product.is_running & ~is_complete;
  }
  std::erase_if(products_, [](const auto& each) { return each.second.is_running.is_false(); });
}

Bits RegisterHazards::access(const RegisterUse& use, std::size_t calls) {
  Bits is_running = Bits::boolean(false);
  for (const auto* ids : {&use.written, &use.address, &use.data})
    for (const RegisterId id : *ids) {
      const std::vector<Name> name = {{calls, id}};
      for (const auto& [number, product] : products_)
        if (meet(name, product.accumulators) || meet(name, product.factors))
          is_running = is_running | product.is_running;
      touched_[name.front()].by_others = Bits::boolean(true);
    }
  return is_running;
}

RegisterHazards::Started RegisterHazards::start(unsigned number, Modifier shape,
                                                const std::vector<RegisterId>& accumulators,
                                                const std::vector<RegisterId>& factors, std::size_t calls) {
  is_empty_ = false;
  Product own{.shape = shape, .accumulators = {}, .factors = {}};
  for (const RegisterId id : accumulators) own.accumulators.emplace_back(calls, id);
  for (const RegisterId id : factors) own.factors.emplace_back(calls, id);
  Started result = {lacks_first_fence_, Bits::boolean(false)};
  for (const Name& name : own.accumulators) {
    Touched& touched = touched_[name];
    result.lacks_fence = result.lacks_fence | touched.by_others | touched.as_factor;
    for (const auto& [other, condition] : touched.as_accumulator)
      if (other != shape) result.lacks_fence = result.lacks_fence | condition;
    condition_of(touched.as_accumulator, shape) = Bits::boolean(true);
  }
  for (const Name& name : own.factors) {
    Touched& touched = touched_[name];
    result.lacks_fence = result.lacks_fence | touched.by_others;
    for (const auto& [other, condition] : touched.as_accumulator)
      result.lacks_fence = result.lacks_fence | condition;
    touched.as_factor = Bits::boolean(true);
  }
  for (const auto& [other, product] : products_) {
    const bool is_misuse = meet(own.factors, product.accumulators) ||
                           meet(own.accumulators, product.factors) ||
                           (product.shape != shape && meet(own.accumulators, product.accumulators));
    if (is_misuse) result.uses_running = result.uses_running | product.is_running;
  }
  products_.insert_or_assign(number, std::move(own));
  return result;
}

void RegisterHazards::leave(std::size_t calls) {
  std::erase_if(touched_, [&](const auto& each) { return each.first.first == calls; });
  for (auto& [number, product] : products_)
    for (auto* names : {&product.accumulators, &product.factors})
      std::erase_if(*names, [&](const Name& name) { return name.first == calls; });
}

void RegisterHazards::merge(const Bits& condition, const RegisterHazards& other) {
  is_empty_ = is_empty_ && other.is_empty_;
  lacks_first_fence_ = ite(condition, lacks_first_fence_, other.lacks_first_fence_);
  for (auto& [number, product] : products_)
    if (!other.products_.contains(number)) product.is_running = product.is_running & condition;
  for (const auto& [number, its] : other.products_) {
    const auto [mine, is_new] = products_.try_emplace(number, its);
    Product& product = mine->second;
    product.is_running =
        is_new ? its.is_running & ~condition : ite(condition, product.is_running, its.is_running);
    product.is_committed = ite(condition, product.is_committed, its.is_committed);
    product.later_groups = ite(condition, product.later_groups, its.later_groups);
  }
  merge_touched(condition, other);
}

void RegisterHazards::merge_touched(const Bits& condition, const RegisterHazards& other) {
  static const Touched untouched;
  for (const auto& [name, its] : other.touched_) (void)touched_[name];
  for (auto& [name, touched] : touched_) {
    const auto found = other.touched_.find(name);
    const Touched& its = found == other.touched_.end() ? untouched : found->second;
    touched.by_others = ite(condition, touched.by_others, its.by_others);
    touched.as_factor = ite(condition, touched.as_factor, its.as_factor);
    for (const auto& [shape, its_condition] : its.as_accumulator)
      (void)condition_of(touched.as_accumulator, shape);
    for (auto& [shape, own] : touched.as_accumulator) {
      Bits theirs = Bits::boolean(false);
      for (const auto& [other_shape, its_condition] : its.as_accumulator)
        if (other_shape == shape) theirs = its_condition;
      own = ite(condition, own, theirs);
    }
  }
}

bool is_matrix_product(const Instruction& instruction) {
  return instruction.form->line->opcode == "wgmma" && !instruction.form->operands.empty() &&
         instruction.form->operands.front().is_destination;
}

RegisterHazards::Started start_product(RegisterHazards& hazards, unsigned number,
                                       const Instruction& instruction, std::size_t calls) {
  return hazards.start(number, *(*instruction.form)[".shape"], registers_of(instruction.operands[0]),
                       registers_of(instruction.operands[1]), calls);
}

std::vector<RegisterId> registers_of(const Operand& operand) {
  std::vector<RegisterId> ids;
  if (const auto* vector = std::get_if<Operand::Vector>(&operand.is))
    for (const Operand& element : vector->elements)
      if (const auto* r = std::get_if<Operand::Register>(&element.is)) ids.push_back(r->id);
  return ids;
}

}  // namespace ptxmc
