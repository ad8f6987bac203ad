#include <algorithm>
#include <bit>

#include "semantics/values/check.hpp"
#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Evaluation of the axioms of a compiled model.

namespace ptxmc {

/// Computes the steps on which no axiom that prunes depends.
void CompiledModel::compute_rest() {
  bring_up_to_date(false);
  if (outdated_.is_rest_known()) return;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const bool is_in_recursion = i < model_.nodes.size() && node(static_cast<cat::NodeId>(i)).owner >= 0;
    if (!step.use.is_needed || step.is_void || is_in_recursion || step.same_as != i) continue;
    if (step.use.prunes && !step.is_static) continue;
    if (step.op == cat::Operator::fixpoint) {
      if (node(static_cast<cat::NodeId>(i)).index == 0) compute_fixpoint(i);
    } else {
      compute(step, inputs.present.words(), rows(i));
    }
  }
  outdated_.set_rest_known();
}

/// Tests the rows that have changed.
bool CompiledModel::is_broken(const Axiom& axiom) const {
  const Step& step = steps_[axiom.tested];
  if (axiom.test->negated || step.is_set || step.op == cat::Operator::fixpoint)
    return !axiom.test->negated && !holds(axiom);
  const bool is_empty = axiom.test->form == cat::Test::Form::empty;
  bool broken = false;
  for_each_member(rows_.changed.data(), stride_, [&](std::size_t row) {
    const Word* value = rows(axiom.tested) + row * stride_;
    broken = broken || (is_empty ? std::any_of(value, value + stride_, [](Word w) { return w != 0; })
                                 : contains_bit(value, row));
  });
  return broken;
}

bool CompiledModel::holds(const Axiom& axiom) const {
  const Step& step = steps_[axiom.tested];
  const Word* tested = rows(axiom.tested);
  bool holds = true;
  if (axiom.test->form == cat::Test::Form::empty)
    holds = std::none_of(tested, tested + words_in(step), [](Word w) { return w; });
  else
    for (std::size_t a = 0; a < size_ && holds; ++a) holds = !contains_bit(tested + a * stride_, a);
  return holds != axiom.test->negated;
}

bool CompiledModel::may_become_consistent() {
  do {
    if (!bring_up_to_date(true)) return false;
  } while (orient_forced());
  return std::all_of(tests_.axioms.begin(), tests_.axioms.end(), [this](const Axiom& axiom) {
    return !axiom.prunes || !axiom.test->negated || holds(axiom);
  });
}

/// Orients the open pairs for which one direction would close a cycle. Returns whether there were any.
bool CompiledModel::orient_forced() {
  bool any = false;
  for (const OrientationRule& rule : rules_.orientations) {
    const Word* before = rows(rule.before);
    const Word* to_orient = open_pairs(rule.choice);
    for (std::size_t w = 0; w < size_ * stride_; ++w)
      for (Word open = before[w] & to_orient[w]; open != 0; open &= open - 1) {
        const std::size_t a = w / stride_;
        const std::size_t b = w % stride_ * 64 + static_cast<std::size_t>(std::countr_zero(open));
        if (!is_open_pair(rule.choice, a, b) || !pass(rule.filters, b, a)) continue;
        orient(rule.choice, a, b);
        any = true;
      }
  }
  return any;
}

bool CompiledModel::pass(const std::vector<cat::NodeId>& filters, std::size_t a, std::size_t b) const {
  return std::all_of(filters.begin(), filters.end(), [&](cat::NodeId id) {
    const Step& filter = steps_[static_cast<std::size_t>(id)];
    return contains_bit(static_rows(filter) + a * stride_, b);
  });
}

bool CompiledModel::refuses(const Source& source) const {
  return std::any_of(rules_.sources.begin(), rules_.sources.end(), [&](const SourceRule& rule) {
    const Word* before = rows(rule.before);
    if (!rule.coherence)
      return contains_bit(before + source.read * stride_, source.write) &&
             pass(rule.filters, source.write, source.read);
    const Word* later = rows(*rule.coherence) + source.write * stride_;
    for (std::size_t w = 0; w < stride_; ++w)
      for (Word open = later[w] & source.writers->words()[w]; open != 0; open &= open - 1) {
        const std::size_t v = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
        if (contains_bit(before + v * stride_, source.read) && pass(rule.filters, source.read, v))
          return true;
      }
    return false;
  });
}

bool CompiledModel::is_consistent() {
  if (!bring_up_to_date(true)) return false;
  const bool has_rest = std::any_of(tests_.axioms.begin(), tests_.axioms.end(),
                                    [](const Axiom& axiom) { return !axiom.prunes; });
  if (has_rest) compute_rest();
  return std::all_of(tests_.axioms.begin(), tests_.axioms.end(), [this](const Axiom& axiom) {
    return (axiom.prunes && !axiom.test->negated) || holds(axiom);
  });
}

bool CompiledModel::may_be_raised(std::size_t flag) const {
  const cat::Test& test = *tests_.flags[flag].test;
  check(test.form == cat::Test::Form::empty && test.negated, "a flag of something that is not empty");
  return !steps_[step_of(test.node)].is_void;
}

bool CompiledModel::is_raised(std::size_t flag) {
  compute_rest();
  return holds(tests_.flags[flag]);
}

std::uint32_t CompiledModel::find_step(std::string_view name) const {
  const cat::Definition* definition = model_.find(name);
  check(definition != nullptr, "a name that the model does not have");
  return step_of(definition->node);
}

void CompiledModel::copy_value(std::uint32_t i, BitMatrix& value) {
  check(steps_[i].use.is_live || steps_[i].is_static, "cat: a value that was not asked for");
  if (steps_[i].use.prunes && !steps_[i].is_static)
    bring_up_to_date(false);
  else
    compute_rest();
  if (value.size() != size_) value = BitMatrix(size_);
  if (!steps_[i].is_set) {
    std::copy_n(rows(i), size_ * stride_, value.words());
    return;
  }
  std::fill_n(value.words(), size_ * stride_, 0);
  for_each_member(rows(i), stride_, [&](std::size_t a) { value.insert(a, a); });
}

BitMatrix CompiledModel::value(std::string_view name) {
  BitMatrix result(size_);
  copy_value(find_step(name), result);
  return result;
}

BitMatrix CompiledModel::value_at_most(std::string_view name) {
  const std::size_t before = mark();
  for (std::size_t i = 0; i < inputs.choices.size(); ++i)
    for (std::size_t a = 0, b = 0; find_open_pair(i, a, b);) {
      orient(i, a, b);
      orient(i, b, a);
    }
  const BitMatrix result = value(name);
  undo_to(before);
  return result;
}

}  // namespace ptxmc
