#include <algorithm>

#include "model/relations/base_relations.hpp"
#include "model/relations/related_pairs.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Upper bounds of the values of a compiled model. A value that is always empty, or always equal to another
// value, is not computed.

namespace ptxmc {

void CompiledModel::simplify(std::span<const Event> events) {
  compute_static();
  const bool is_any_open = std::any_of(events.begin(), events.end(), [](const Event& event) {
    const auto is_open = [](const Bits& bits) { return bits.width() != 0 && !bits.is_constant(); };
    return is_open(event.location) || is_open(event.address);
  });
  for (Step& step : steps_) step.is_open = step.is_open && is_any_open;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (!step.use.is_needed) continue;
    if (step.op == cat::Operator::base)
      bound_base(step, events);
    else
      bound(i);
    const Word* value = rows(i);
    step.is_void = std::none_of(value, value + words_in(step), [](Word w) { return w; });
    if (!step.is_static && !step.is_void) find_equal(i);
  }
  // A recursion is computed as a whole.
  for (std::uint32_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].op == cat::Operator::fixpoint || steps_[i].op == cat::Operator::variable)
      steps_[i].is_void = false;
  values_.clear();
}

void CompiledModel::bound_base(Step& step, std::span<const Event> events) {
  Word* result = values_.data() + step.memory.place;
  if (step.is_static && !step.is_open) {
    std::copy_n(static_rows(step), step.memory.count, result);
    return;
  }
  if (step.relation->holds)
    return for_each_related(*step.relation, program_, events, [&](EventId a, EventId b, const Bits&) {
      insert_bit(result + static_cast<std::size_t>(a) * stride_, static_cast<std::size_t>(b));
    });
  const auto may_hold = [&](std::size_t a, std::size_t b) {
    if (step.relation->name == "rf") return kinds_.writes(a) && kinds_.reads(b);
    return a != b && events[a].kind == EventKind::barrier && events[b].kind == EventKind::barrier;
  };
  for (std::size_t a = 0; a < size_; ++a)
    for (std::size_t b = 0; b < size_; ++b)
      if (may_hold(a, b)) insert_bit(result + a * stride_, b);
}

/// The value with every operand at its upper bound, and subtracted operands at their lower bound.
void CompiledModel::bound(std::uint32_t i) {
  const Step& step = steps_[i];
  Word* result = rows(i);
  const auto fill = [&](const auto& may_contain) {
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t b = 0; b < (step.is_set ? 1 : size_); ++b)
        if (may_contain(a, b)) step.is_set ? insert_bit(result, a) : insert_bit(result + a * stride_, b);
  };
  const auto is_exact = [&](std::size_t operand) {
    const Step& from = steps_[step.operands[operand]];
    return from.is_static && !from.is_open;
  };
  switch (step.op) {
    case cat::Operator::variable:
    case cat::Operator::fixpoint:
      return fill([](std::size_t, std::size_t) { return true; });
    case cat::Operator::orientations:
      return fill([&](std::size_t a, std::size_t b) {
        const Word* related = rows(step.operands[0]);
        return a != b && (contains_bit(related + a * stride_, b) || contains_bit(related + b * stride_, a));
      });
    case cat::Operator::total_coherence:
      return fill(
          [&](std::size_t a, std::size_t b) { return a != b && kinds_.writes(a) && kinds_.writes(b); });
    case cat::Operator::from_reads:
      return fill([&](std::size_t a, std::size_t b) { return kinds_.reads(a) && kinds_.writes(b); });
    case cat::Operator::complement:
      if (!is_exact(0)) return fill([](std::size_t, std::size_t) { return true; });
      break;
    case cat::Operator::subtract:
      if (!is_exact(1)) {
        std::copy_n(rows(step.operands[0]), words_in(step), result);
        return;
      }
      break;
    case cat::Operator::intersect:
      if (needs_two_sources(step)) return;
      break;
    default:
      break;
  }
  Step bounded = step;
  bounded.is_static = false;  // its operands are replaced by bounds
  compute(bounded, kinds_.all.words(), result);
}

/// Finds another step that always has the same value.
void CompiledModel::find_equal(std::uint32_t i) {
  Step& step = steps_[i];
  for (std::uint32_t& operand : step.operands) operand = steps_[operand].same_as;
  if (step.operands.size() != 2) return;
  const auto [a, b] = std::pair{step.operands[0], step.operands[1]};
  switch (step.op) {
    case cat::Operator::unite:
      if (is_part(a, b)) step.same_as = b;
      if (is_part(b, a)) step.same_as = a;
      break;
    case cat::Operator::intersect:
      if (is_within(a, b)) step.same_as = a;
      if (is_within(b, a)) step.same_as = b;
      break;
    case cat::Operator::subtract:
      if (are_apart(a, b)) step.same_as = a;
      break;
    case cat::Operator::compose:
      for (const auto& [identity, other, is_first] : {std::tuple{a, b, true}, std::tuple{b, a, false}}) {
        if (!has_only_loops(identity)) continue;
        bool keeps_all = true;
        for (std::size_t x = 0; x < size_; ++x)
          for_each_member(rows(other) + x * stride_, stride_,
                          [&, identity = identity, is_first = is_first](std::size_t y) {
                            const std::size_t at = is_first ? x : y;
                            keeps_all = keeps_all && contains_bit(rows(identity) + at * stride_, at);
                          });
        if (keeps_all) step.same_as = other;
      }
      break;
    default:
      break;
  }
}

/// Whether the filter contains everything that may be in the step's value.
bool CompiledModel::is_within(std::uint32_t step, std::uint32_t filter) const {
  if (!steps_[filter].is_static || steps_[filter].is_open) return false;
  const Word* value = rows(step);
  const Word* passed = rows(filter);
  for (std::size_t w = 0; w < words_in(steps_[step]); ++w)
    if ((value[w] & ~passed[w]) != 0) return false;
  return true;
}

/// Whether the step is static, and relates events to themselves only.
bool CompiledModel::has_only_loops(std::uint32_t step) const {
  if (steps_[step].is_set || !steps_[step].is_static || steps_[step].is_open) return false;
  bool result = true;
  for (std::size_t a = 0; a < size_; ++a)
    for_each_member(rows(step) + a * stride_, stride_, [&](std::size_t b) { result = result && a == b; });
  return result;
}

/// Whether the definitions show that `part` is a subset of `whole`.
bool CompiledModel::is_part(std::uint32_t part, std::uint32_t whole) const {
  part = steps_[part].same_as;
  whole = steps_[whole].same_as;
  const Step &from = steps_[part], &to = steps_[whole];
  if (from.is_void || part == whole || is_within(part, whole)) return true;
  const auto includes_part = [&](std::uint32_t operand) { return is_part(part, operand); };
  if (to.op == cat::Operator::intersect && std::ranges::all_of(to.operands, includes_part)) return true;
  const auto is_in_whole = [&](std::uint32_t operand) { return is_part(operand, whole); };
  switch (from.op) {
    case cat::Operator::intersect:
      return std::ranges::any_of(from.operands, is_in_whole);
    case cat::Operator::unite:
      return std::ranges::all_of(from.operands, is_in_whole);
    case cat::Operator::subtract:
      return is_in_whole(from.operands[0]) ||
             (!from.is_set && has_loops_within(from.operands[0], from.operands[1]) &&
              is_part_but_for_loops(from.operands[0], whole));
    default:
      return false;
  }
}

/// The same, ignoring pairs of an event with itself.
bool CompiledModel::is_part_but_for_loops(std::uint32_t part, std::uint32_t whole) const {
  if (is_part(part, whole)) return true;
  const Step &from = steps_[part], &to = steps_[whole];
  if (from.op == cat::Operator::optional) return is_part_but_for_loops(from.operands[0], whole);
  if (from.op != cat::Operator::intersect || to.op != cat::Operator::intersect) return false;
  return is_part_but_for_loops(from.operands[0], to.operands[0]) &&
         is_part_but_for_loops(from.operands[1], to.operands[1]);
}

/// Whether the filter contains each pair of an event with itself that may be in the step's value.
bool CompiledModel::has_loops_within(std::uint32_t step, std::uint32_t filter) const {
  if (!steps_[filter].is_static || steps_[filter].is_open) return false;
  for (std::size_t a = 0; a < size_; ++a)
    if (contains_bit(rows(step) + a * stride_, a) && !contains_bit(rows(filter) + a * stride_, a))
      return false;
  return true;
}

/// `(rf^-1; r) & rf^-1` relates a read to itself through two of its sources that r relates. If each read has
/// one source, and an axiom requires r to be irreflexive, it is empty.
bool CompiledModel::needs_two_sources(const Step& step) const {
  if (step.op != cat::Operator::intersect || step.is_set || !kinds_.reads_have_one_source) return false;
  const auto is_irreflexive = [&](std::uint32_t relation) {
    return std::any_of(tests_.axioms.begin(), tests_.axioms.end(), [&](const Axiom& axiom) {
      return axiom.test->form != cat::Test::Form::empty && !axiom.test->negated &&
             step_of(axiom.test->node) == relation;
    });
  };
  for (const std::size_t i : {0U, 1U}) {
    const std::uint32_t inverse = steps_[step.operands[i]].same_as;
    const Step& product = steps_[steps_[step.operands[1 - i]].same_as];
    if (steps_[inverse].op != cat::Operator::inverse || product.op != cat::Operator::compose) continue;
    const Step& inverted = steps_[steps_[inverse].operands[0]];
    if (inverted.op == cat::Operator::base && inverted.relation && inverted.relation->name == "rf" &&
        product.operands[0] == inverse && is_irreflexive(product.operands[1]))
      return true;
  }
  return false;
}

bool CompiledModel::are_apart(std::uint32_t a, std::uint32_t b) const {
  for (std::size_t w = 0; w < words_in(steps_[a]); ++w)
    if ((rows(a)[w] & rows(b)[w]) != 0) return false;
  return true;
}

}  // namespace ptxmc
