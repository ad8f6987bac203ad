#include "src/compiler/needed_orders.hpp"

#include <algorithm>

#include "semantics/language/form.hpp"
#include "src/compiler/cpp_operation.hpp"

namespace ptxmc {
namespace {

using Kind = Annotation::Kind;

bool acquires(Strength strength) {
  return strength.ordering == Ordering::acquire || strength.ordering == Ordering::acq_rel;
}

bool releases(Strength strength) {
  return strength.ordering == Ordering::release || strength.ordering == Ordering::acq_rel;
}

void add_fence(ThreadOrders& orders, Strength strength) { orders.gaps.back().push_back(strength); }

/// A barrier of a CTA orders what a fence.sc.cta does, and more. It is no annotation.
bool add_barrier(const Instruction& instruction, ThreadOrders& orders) {
  const bool is_barrier = instruction.form->spelling.starts_with("bar");
  if (is_barrier) add_fence(orders, {Ordering::sc, Scope::cta});
  return is_barrier;
}

void add_access(ThreadOrders& orders, OrderedAccess access) {
  orders.accesses.push_back(access);
  orders.gaps.emplace_back();
}

/// What an access is by the beginning of its spelling; empty for other instructions.
std::optional<Kind> access_kind(std::string_view spelling) {
  const std::string_view opcode = spelling.substr(0, spelling.find('.'));
  if (opcode == "ld" || opcode == "load") return Kind::load;
  if (opcode == "st" || opcode == "store") return Kind::store;
  if (opcode == "atom" || opcode == "rmw" || opcode.starts_with("cas")) return Kind::atomic;
  if (opcode == "red") return Kind::reduction;
  return std::nullopt;
}

void add_of_ptx(const Instruction& instruction, ThreadOrders& orders) {
  if (add_barrier(instruction, orders)) return;
  const auto annotation = annotation_of(instruction);
  if (annotation && annotation->kind == Kind::fence) return add_fence(orders, annotation->strength);
  const auto kind = access_kind(instruction.form->spelling);
  if (!kind || is_private_access(instruction)) return;
  // A volatile access is relaxed at the scope of the system (PTX ISA 8.7 § 8.4.1).
  add_access(orders, {*kind, annotation ? annotation->strength : Strength{Ordering::relaxed, Scope::sys},
                      instruction.text});
}

void add_of_cpp(const Instruction& instruction, ThreadOrders& orders) {
  if (add_barrier(instruction, orders)) return;
  const auto operation = cpp_operation(instruction);
  if (operation && operation->is_fence) return add_fence(orders, operation->strength);
  const auto kind = access_kind(instruction.form->spelling);
  if (!kind) return;
  Strength strength = operation ? operation->strength : Strength{};
  if (!operation && instruction.form->spelling.find(".volatile") != std::string::npos)
    strength = {Ordering::relaxed, Scope::sys};
  if (strength.ordering == Ordering::sc) {
    add_fence(orders, strength);
    strength.ordering = *kind == Kind::load    ? Ordering::acquire
                        : *kind == Kind::store ? Ordering::release
                                               : Ordering::acq_rel;
  }
  add_access(orders, {*kind, strength, instruction.text});
}

/// Whether these fences have, in the same order, one at least as strong for each of the first.
bool covers(const std::vector<Strength>& given, const std::vector<Strength>& needed) {
  auto next = given.begin();
  for (const Strength& one : needed) {
    next = std::find_if(next, given.end(), [&](Strength other) { return is_weaker_or_equal(one, other); });
    if (next == given.end()) return false;
    ++next;
  }
  return true;
}

}  // namespace

ThreadOrders orders_of(const Thread& thread, Language language) {
  ThreadOrders result;
  result.gaps.emplace_back();
  for (const Instruction& instruction : thread.code)
    language == Language::cpp ? add_of_cpp(instruction, result) : add_of_ptx(instruction, result);
  return result;
}

OrderPlace place_of(const Thread& thread, std::size_t instruction) {
  ThreadOrders before;
  before.gaps.emplace_back();
  for (std::size_t i = 0; i < instruction; ++i) add_of_ptx(thread.code[i], before);
  const auto annotation = annotation_of(thread.code[instruction]);
  const bool is_fence = annotation && annotation->kind == Kind::fence;
  return {is_fence, before.accesses.size(), is_fence ? before.gaps.back().size() : 0};
}

bool is_enough(const ThreadOrders& needed, const ThreadOrders& given, const OrderPlace& place,
               Strength strength) {
  if (!std::ranges::equal(needed.accesses, given.accesses, {}, &OrderedAccess::kind, &OrderedAccess::kind))
    return false;
  if (!place.is_fence) return is_weaker_or_equal(needed.accesses[place.number].strength, strength);
  std::vector<Strength> fences = given.gaps[place.number];
  const auto changed = fences.begin() + static_cast<std::ptrdiff_t>(place.in_gap);
  if (strength.ordering == Ordering::none)
    fences.erase(changed);
  else
    *changed = strength;
  if (!covers(fences, needed.gaps[place.number])) return false;
  // The fences may stand for the acquire of the access before them, or for the release of that behind them.
  const auto has = [&](std::size_t access, bool (*is_of_order)(Strength)) {
    const Strength need = needed.accesses[access].strength;
    const auto gives = [&](Strength strength) {
      return (is_of_order(strength) || strength.ordering == Ordering::sc) && need.scope <= strength.scope;
    };
    return !is_of_order(need) || gives(given.accesses[access].strength) || std::ranges::any_of(fences, gives);
  };
  if (place.number > 0 && !has(place.number - 1, acquires)) return false;
  return place.number == given.accesses.size() || has(place.number, releases);
}

}  // namespace ptxmc
