#include <algorithm>
#include <bit>

#include "model/base_relations.hpp"
#include "model/cat_graph.hpp"
#include "semantics/check.hpp"
#include "solver/bit_rows.hpp"
#include "solver/compiled_model.hpp"

// How a compiled model is evaluated: the operators of cat on rows of bits.

namespace ptxmc {

using cat::NodeId;

namespace {

/// The operators of two operands that sets and relations share: word by word.
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

// --- Evaluation -------------------------------------------------------------------------------------------

void CompiledModel::note(std::uint32_t changes) {
  stale_pruning_ |= changes;
  stale_rest_ |= changes;
}

void CompiledModel::evaluate(bool pruning_only) {
  if (pruning_only ? stale_pruning_ == 0 : (stale_pruning_ | stale_rest_) == 0) return;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    if (!step.is_needed || model_.nodes[i].owner >= 0 || (pruning_only && !step.prunes)) continue;
    stale_ = step.depends & (step.prunes ? stale_pruning_ : stale_rest_);
    if (stale_ != 0) compute(static_cast<NodeId>(i));
  }
  stale_pruning_ = 0;
  if (!pruning_only) stale_rest_ = 0;
}

void CompiledModel::compute(NodeId id) {
  Step& step = steps_[static_cast<std::size_t>(id)];
  if (!step.is_needed) return;
  if (step.op == cat::Operator::fixpoint) {
    if (node(id).index == 0) compute_fixpoint(id);
  } else if (step.op == cat::Operator::variable) {
    const NodeId current = fixpoint_node(node(id).recursion) + node(id).index;
    std::copy_n(rows(current), words_of(id), rows(id));
  } else if (step.op == cat::Operator::base) {
    compute_base(step);
  } else if (step.is_set) {
    compute_set(node(id), step);
  } else {
    compute_relation(node(id), step);
  }
}

void CompiledModel::compute_base(Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const Word* from = static_words_.data() + step.static_rows;
  if (step.set) {
    for (std::size_t w = 0; w < stride_; ++w) result[w] = from[w] & present[w];
    return;
  }
  std::fill_n(result, size_ * stride_, 0);
  if (!step.relation->holds) {
    const BitMatrix& relation = (step.depends & reads_from) != 0 ? inputs.rf : inputs.syncbar;
    std::copy_n(relation.words(), size_ * stride_, result);
    return;
  }
  for_each_member(present, stride_, [&](std::size_t a) {
    for (std::size_t w = 0; w < stride_; ++w) result[a * stride_ + w] = from[a * stride_ + w] & present[w];
  });
}

void CompiledModel::compute_set(const cat::Node& from, Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const auto operand = [&](int i) { return rows(from.operands[static_cast<std::size_t>(i)]); };
  const auto each = [&](auto word) {
    for (std::size_t w = 0; w < stride_; ++w) result[w] = word(w);
  };
  switch (from.op) {
    case cat::Operator::universe:
      return each([&](std::size_t w) { return present[w]; });
    case cat::Operator::empty:
      return each([&](std::size_t) { return Word{0}; });
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
      return combine(from.op, operand(0), operand(1), stride_, result);
    case cat::Operator::complement:
      return each([a = operand(0), present](std::size_t w) { return present[w] & ~a[w]; });
    case cat::Operator::domain:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        if (std::any_of(operand(0) + a * stride_, operand(0) + (a + 1) * stride_, [](Word w) { return w; }))
          insert_bit(result, a);
      return;
    case cat::Operator::range:
      std::fill_n(result, stride_, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for (std::size_t w = 0; w < stride_; ++w) result[w] |= operand(0)[a * stride_ + w];
      return;
    default:
      fail_check("cat: an operator that makes no set");
  }
}

void CompiledModel::compute_relation(const cat::Node& from, Step& step) {
  Word* result = words_.data() + step.place;
  const Word* present = inputs.present.words();
  const std::size_t count = size_ * stride_;
  const auto operand = [&](int i) { return rows(from.operands[static_cast<std::size_t>(i)]); };
  switch (from.op) {
    case cat::Operator::empty:
      std::fill_n(result, count, 0);
      return;
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
      return combine(from.op, operand(0), operand(1), count, result);
    case cat::Operator::complement:
      std::fill_n(result, count, 0);
      return for_each_member(present, stride_, [&](std::size_t a) {
        for (std::size_t w = 0; w < stride_; ++w)
          result[a * stride_ + w] = present[w] & ~operand(0)[a * stride_ + w];
      });
    case cat::Operator::product:
      std::fill_n(result, count, 0);
      return for_each_member(operand(0), stride_,
                             [&](std::size_t a) { std::copy_n(operand(1), stride_, result + a * stride_); });
    case cat::Operator::identity:
      std::fill_n(result, count, 0);
      return for_each_member(operand(0), stride_,
                             [&](std::size_t a) { insert_bit(result + a * stride_, a); });
    case cat::Operator::compose:
      return compose(operand(0), operand(1), result);
    case cat::Operator::inverse:
      std::fill_n(result, count, 0);
      for (std::size_t a = 0; a < size_; ++a)
        for_each_member(operand(0) + a * stride_, stride_,
                        [&](std::size_t b) { insert_bit(result + b * stride_, a); });
      return;
    case cat::Operator::optional:
      std::copy_n(operand(0), count, result);
      return for_each_member(present, stride_, [&](std::size_t a) { insert_bit(result + a * stride_, a); });
    case cat::Operator::closure:
      std::copy_n(operand(0), count, result);
      return close(result);
    case cat::Operator::from_reads:
      return compute_from_reads(operand(0), result);
    case cat::Operator::orientations:
    case cat::Operator::total_coherence:
      return compute_choice(from, step);
    default:
      fail_check("cat: an operator that makes no relation");
  }
}

void CompiledModel::compose(const Word* a, const Word* b, Word* result) const {
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

void CompiledModel::compute_choice(const cat::Node& from, Step& step) {
  Choice& choice = inputs.choices[step.choice];
  Word* result = words_.data() + step.place;
  if ((stale_ & ~choice_change(step.choice)) != 0) {
    std::fill_n(choice.pairs.words(), size_ * stride_, 0);
    std::fill_n(choice.always.words(), size_ * stride_, 0);
    find_pairs(from, step, choice);
  }
  for (std::size_t w = 0; w < size_ * stride_; ++w)
    result[w] = choice.always.words()[w] | choice.chosen.words()[w];
}

void CompiledModel::find_pairs(const cat::Node& from, const Step& step, Choice& choice) {
  if (choice.is_total_coherence) {
    const Word* overlap = static_words_.data() + step.static_rows;
    const auto writes = [&](std::size_t event) { return (kinds_[event] & 1) != 0; };
    const auto is_initial = [&](std::size_t event) { return (kinds_[event] & 2) != 0; };
    for_each_member(inputs.present.words(), stride_, [&](std::size_t a) {
      if (!writes(a)) return;
      for_each_member(overlap + a * stride_, stride_, [&](std::size_t b) {
        if (a == b || !writes(b) || !inputs.present.contains(b) || is_initial(b)) return;
        if (is_initial(a))
          choice.always.insert(a, b);
        else
          choice.pairs.insert(a, b);
      });
    });
  } else {
    const Word* related = rows(from.operands[0]);
    for (std::size_t a = 0; a < size_; ++a)
      for_each_member(related + a * stride_, stride_, [&](std::size_t b) {
        if (a == b) return;
        choice.pairs.insert(a, b);
        choice.pairs.insert(b, a);
      });
  }
}

void CompiledModel::compute_from_reads(const Word* coherence, Word* result) {
  std::fill_n(result, size_ * stride_, 0);
  for (const Source& source : inputs.sources)
    for (std::size_t w = 0; w < stride_; ++w)
      result[source.read * stride_ + w] |= coherence[source.write * stride_ + w] & source.writers->words()[w];
}

void CompiledModel::compute_fixpoint(NodeId first) {
  const cat::Recursion& recursion = model_.recursions[static_cast<std::size_t>(node(first).recursion)];
  const auto count = static_cast<NodeId>(recursion.bodies.size());
  for (NodeId i = 0; i < count; ++i) std::fill_n(rows(first + i), words_of(first + i), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (const NodeId id : recursion.dependents) compute(id);
    for (NodeId i = 0; i < count; ++i) {
      const Word* body = rows(recursion.bodies[static_cast<std::size_t>(i)]);
      if (std::equal(body, body + words_of(first + i), rows(first + i))) continue;
      std::copy_n(body, words_of(first + i), rows(first + i));
      changed = true;
    }
  }
}

std::size_t CompiledModel::words_of(NodeId id) const {
  return steps_[static_cast<std::size_t>(id)].is_set ? stride_ : size_ * stride_;
}

NodeId CompiledModel::fixpoint_node(cat::RecursionId id) const {
  for (std::size_t i = 0; i < model_.nodes.size(); ++i)
    if (model_.nodes[i].op == cat::Operator::fixpoint && model_.nodes[i].recursion == id)
      return static_cast<NodeId>(i) - model_.nodes[i].index;
  fail_check("cat: a recursion without a name");
}

// --- Judgement --------------------------------------------------------------------------------------------

bool CompiledModel::holds(const Axiom& axiom) {
  const cat::Test& test = *axiom.test;
  const Word* tested = rows(test.node);
  bool holds = true;
  if (test.form == cat::Test::Form::empty) {
    const std::size_t count = words_of(test.node);
    holds = std::none_of(tested, tested + count, [](Word w) { return w; });
  } else {
    if (test.form == cat::Test::Form::acyclic) {
      Word* closure = words_.data() + axiom.closure;
      std::copy_n(tested, size_ * stride_, closure);
      close(closure);
      tested = closure;
    }
    for (std::size_t a = 0; a < size_ && holds; ++a) holds = !contains_bit(tested + a * stride_, a);
  }
  return holds != test.negated;
}

bool CompiledModel::may_become_consistent() {
  do {
    evaluate(true);
    for (const Axiom& axiom : axioms_)
      if (axiom.prunes && !holds(axiom)) return false;
  } while (orient_forced());
  return true;
}

/// Orients the open pairs of which one way would close a cycle. Returns whether there were any.
bool CompiledModel::orient_forced() {
  bool any = false;
  for (const Rule& rule : rules_) {
    Choice& choice = inputs.choices[rule.choice];
    const Word* before = words_.data() + rule.before;
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t w = 0; w < stride_; ++w) {
        Word open = before[a * stride_ + w] & choice.pairs.words()[a * stride_ + w] &
                    ~choice.chosen.words()[a * stride_ + w];
        for (; open != 0; open &= open - 1) {
          const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
          const bool forced = !choice.chosen.contains(b, a) &&
                              std::all_of(rule.filters.begin(), rule.filters.end(),
                                          [&](NodeId id) { return contains_bit(rows(id) + b * stride_, a); });
          if (!forced) continue;
          choice.chosen.insert(a, b);
          note(choice_change(rule.choice));
          any = true;
        }
      }
  }
  return any;
}

bool CompiledModel::is_consistent() {
  evaluate(false);
  return std::all_of(axioms_.begin(), axioms_.end(), [this](const Axiom& axiom) { return holds(axiom); });
}

bool CompiledModel::is_raised(std::size_t flag) {
  evaluate(false);
  return holds(flags_[flag]);
}

BitMatrix CompiledModel::value(std::string_view name) {
  evaluate(false);
  const cat::Definition* definition = model_.find(name);
  check(definition != nullptr, "a name that the model does not have");
  const Word* found = rows(definition->node);
  BitMatrix result(size_);
  if (steps_[static_cast<std::size_t>(definition->node)].is_set)
    for_each_member(found, stride_, [&](std::size_t a) { result.insert(a, a); });
  else
    std::copy_n(found, size_ * stride_, result.words());
  return result;
}

BitMatrix CompiledModel::value_at_most(std::string_view name) {
  std::vector<BitMatrix> chosen;
  std::uint32_t changes = 0;
  for (std::size_t i = 0; i < inputs.choices.size(); ++i) {
    Choice& choice = inputs.choices[i];
    chosen.push_back(choice.chosen);
    choice.chosen = choice.pairs;
    changes |= choice_change(i);
  }
  note(changes);
  const BitMatrix result = value(name);
  for (std::size_t i = 0; i < inputs.choices.size(); ++i) inputs.choices[i].chosen = std::move(chosen[i]);
  note(changes);
  return result;
}

}  // namespace ptxmc
