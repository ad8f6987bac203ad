#include <algorithm>
#include <bit>

#include "model/relations/base_relations.hpp"
#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Computation of the steps of a compiled model: the operators of cat on rows of bits.

namespace ptxmc {

using cat::NodeId;

namespace {

/// The binary operators that sets and relations share, computed word by word.
void combine(cat::Operator op, const std::uint64_t* a, const std::uint64_t* b, std::size_t count,
             std::uint64_t* result) {
  const auto each = [&](auto word) {
    for (std::size_t w = 0; w < count; ++w) result[w] = word(a[w], b[w]);
  };
  if (op == cat::Operator::unite) return each([](auto x, auto y) { return x | y; });
  if (op == cat::Operator::intersect) return each([](auto x, auto y) { return x & y; });
  each([](auto x, auto y) { return x & ~y; });
}

}  // namespace

/// Computes the steps that depend only on the events, with all events present.
void CompiledModel::compute_static() {
  statics_.are_stale = false;
  for (const Step& step : steps_)
    if (step.is_static && step.use.is_needed && step.op != cat::Operator::base)
      compute(step, kinds_.all.words(), static_rows(step));
}

/// The value of a static step is its value for all events, restricted to the present events.
void CompiledModel::compute(const Step& step, const Word* present, Word* result) {
  if (step.is_static && present != kinds_.all.words()) {
    const Word* from = static_rows(step);
    if (step.is_set) return combine(cat::Operator::intersect, from, present, stride_, result);
    for (std::size_t a = 0; a < size_; ++a)
      if (contains_bit(present, a))
        combine(cat::Operator::intersect, from + a * stride_, present, stride_, result + a * stride_);
      else
        std::fill_n(result + a * stride_, stride_, 0);
    return;
  }
  if (step.op == cat::Operator::base)
    std::copy_n(base_rows(step), size_ * stride_, result);
  else if (step.is_set)
    compute_set(step, present, result);
  else
    compute_relation(step, present, result);
}

const CompiledModel::Word* CompiledModel::base_rows(const Step& step) const {
  return (step.relation->name == "rf" ? inputs.rf : inputs.syncbar).words();
}

void CompiledModel::compute_set(const Step& step, const Word* present, Word* result) const {
  const auto each = [&](auto word) {
    for (std::size_t w = 0; w < stride_; ++w) result[w] = word(w);
  };
  switch (step.op) {
    case cat::Operator::universe:
      return each([&](std::size_t w) { return present[w]; });
    case cat::Operator::empty:
      return each([&](std::size_t) { return Word{0}; });
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
      return combine(step.op, operand(step, 0), operand(step, 1), stride_, result);
    case cat::Operator::complement:
      return each([a = operand(step, 0), present](std::size_t w) { return present[w] & ~a[w]; });
    case cat::Operator::domain:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        if (std::any_of(operand(step, 0) + a * stride_, operand(step, 0) + (a + 1) * stride_,
                        [](Word w) { return w; }))
          insert_bit(result, a);
      return;
    case cat::Operator::range:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for (std::size_t w = 0; w < stride_; ++w) result[w] |= operand(step, 0)[a * stride_ + w];
      return;
    default:
      fail_check("cat: an operator that makes no set");
  }
}

void CompiledModel::compute_relation(const Step& step, const Word* present, Word* result) const {
  const std::size_t count = size_ * stride_;
  const auto first = [&] { return operand(step, 0); };
  switch (step.op) {
    case cat::Operator::empty:
      std::fill_n(result, count, 0);
      return;
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
      return combine(step.op, first(), operand(step, 1), count, result);
    case cat::Operator::complement:
      std::fill_n(result, count, 0);
      return for_each_member(present, stride_, [&](std::size_t a) {
        for (std::size_t w = 0; w < stride_; ++w)
          result[a * stride_ + w] = present[w] & ~first()[a * stride_ + w];
      });
    case cat::Operator::product:
      std::fill_n(result, count, 0);
      return for_each_member(first(), stride_, [&](std::size_t a) {
        std::copy_n(operand(step, 1), stride_, result + a * stride_);
      });
    case cat::Operator::identity:
      std::fill_n(result, count, 0);
      return for_each_member(first(), stride_, [&](std::size_t a) { insert_bit(result + a * stride_, a); });
    case cat::Operator::compose:
      return compose(first(), operand(step, 1), result);
    case cat::Operator::inverse:
      std::fill_n(result, count, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for_each_member(first() + a * stride_, stride_,
                        [&](std::size_t b) { insert_bit(result + b * stride_, a); });
      return;
    case cat::Operator::optional:
      std::copy_n(first(), count, result);
      return for_each_member(present, stride_, [&](std::size_t a) { insert_bit(result + a * stride_, a); });
    case cat::Operator::closure:
      std::copy_n(first(), count, result);
      return close(result);
    case cat::Operator::from_reads:
      return compute_from_reads(first(), result);
    case cat::Operator::orientations:
    case cat::Operator::total_coherence:
      return compute_choice(step, present, result);
    default:
      fail_check("cat: an operator that makes no relation");
  }
}

void CompiledModel::compose(const Word* a, const Word* b, Word* result) const {
  if (stride_ == 1) {
    for (std::size_t i = 0; i < size_; ++i) {
      Word row = 0;
      for_each_member(a + i, 1, [&](std::size_t k) { row |= b[k]; });
      result[i] = row;
    }
    return;
  }
  std::fill_n(result, size_ * stride_, 0);
  for (std::size_t i = 0; i < size_; ++i)
    for_each_member(a + i * stride_, stride_, [&](std::size_t k) {
      for (std::size_t w = 0; w < stride_; ++w) result[i * stride_ + w] |= b[k * stride_ + w];
    });
}

/// S. Warshall 1962.
void CompiledModel::close(Word* relation) const {
  for (std::size_t k = 0; k < size_; ++k) {
    const Word* through = relation + k * stride_;
    if (std::none_of(through, through + stride_, [](Word w) { return w; })) continue;
    for (std::size_t a = 0; a < size_; ++a)
      if (contains_bit(relation + a * stride_, k))
        for (std::size_t w = 0; w < stride_; ++w) relation[a * stride_ + w] |= through[w];
  }
}

/// Computes the value, the pairs that are not oriented yet, and the orientations of the others.
void CompiledModel::compute_choice(const Step& step, const Word* present, Word* result) const {
  const Choice& choice = inputs.choices[step.choice];
  const std::size_t count = size_ * stride_;
  const Word* chosen = rows(static_cast<std::uint32_t>(choice.node)) + 2 * count;
  Word* open = result + count;
  std::fill_n(open, count, 0);  // after a copy, GCC 13 warns that count could be too large
  std::copy_n(chosen, count, result);
  std::copy_n(chosen, count, open + count);
  const auto leave_open = [&](std::size_t a, std::size_t b) {
    if (a != b && !contains_bit(chosen + a * stride_, b) && !contains_bit(chosen + b * stride_, a))
      insert_bit(open + a * stride_, b);
  };
  if (!choice.is_total_coherence) {
    const Word* related = operand(step, 0);
    for (std::size_t a = 0; a < size_; ++a)
      for_each_member(related + a * stride_, stride_, [&](std::size_t b) {
        leave_open(a, b);
        leave_open(b, a);
      });
    return;
  }
  const auto writes = [&](std::size_t event) { return kinds_.writes(event); };
  const auto is_initial = [&](std::size_t event) { return kinds_.is_initial(event); };
  for_each_member(present, stride_, [&](std::size_t a) {
    if (!writes(a)) return;
    for_each_member(static_rows(step) + a * stride_, stride_, [&](std::size_t b) {
      if (a == b || !writes(b) || !contains_bit(present, b) || is_initial(b)) return;
      if (is_initial(a))
        insert_bit(result + a * stride_, b);
      else
        leave_open(a, b);
    });
  });
}

void CompiledModel::compute_from_reads(const Word* coherence, Word* result) const {
  std::fill_n(result, size_ * stride_, 0);
  for (const Source& source : inputs.sources)
    for (std::size_t w = 0; w < stride_; ++w)
      result[source.read * stride_ + w] |= coherence[source.write * stride_ + w] & source.writers->words()[w];
}

void CompiledModel::compute_fixpoint(std::uint32_t first) {
  const cat::Recursion& recursion =
      model_.recursions[static_cast<std::size_t>(node(static_cast<NodeId>(first)).recursion)];
  std::fill_n(rows(first), steps_[first].memory.count, 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId id : recursion.dependents) compute_in_recursion(static_cast<std::uint32_t>(id));
    for (std::size_t i = 0; i < recursion.bodies.size(); ++i) {
      const Word* body = rows(step_of(recursion.bodies[i]));
      const auto target = static_cast<std::uint32_t>(first + i);
      const std::size_t words = words_in(steps_[target]);
      if (std::equal(body, body + words, rows(target))) continue;
      std::copy_n(body, words, rows(target));
      changed = true;
    }
  }
}

void CompiledModel::compute_in_recursion(std::uint32_t i) {
  const Step& step = steps_[i];
  const cat::Node& from = node(static_cast<NodeId>(i));
  if (!step.use.is_needed || step.is_void || step.same_as != i) return;
  if (step.op == cat::Operator::variable) {
    const auto current = static_cast<std::uint32_t>(fixpoint_node(from.recursion) + from.index);
    std::copy_n(rows(current), words_in(step), rows(i));
  } else if (step.op == cat::Operator::fixpoint) {
    if (from.index == 0) compute_fixpoint(i);
  } else {
    compute(step, inputs.present.words(), rows(i));
  }
}

}  // namespace ptxmc
