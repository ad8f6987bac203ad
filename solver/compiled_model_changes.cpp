#include <algorithm>
#include <bit>

#include "semantics/check.hpp"
#include "solver/bit_rows.hpp"
#include "solver/compiled_model.hpp"

// How a compiled model follows the execution: forward step by step, each value that changes being kept for
// the way back.

namespace ptxmc {

namespace {

void add(std::vector<std::uint64_t>& set, const std::uint64_t* more) {
  for (std::size_t w = 0; w < set.size(); ++w) set[w] |= more[w];
}

}  // namespace

// --- Changes ----------------------------------------------------------------------------------------------

void CompiledModel::note(Change change) {
  add(dirty_, affected_[change].data());
  is_rest_known_ = false;
}

/// The value of the choice follows at once.
void CompiledModel::orient(std::size_t choice, std::size_t from, std::size_t to) {
  const auto step = static_cast<std::uint32_t>(inputs.choices[choice].node);
  Word* open = open_pairs(choice);
  inputs.choices[choice].chosen.insert(from, to);
  insert_bit(rows(step) + from * stride_, to);
  erase_bit(open + from * stride_, to);
  erase_bit(open + to * stride_, from);
  done_.push_back({.is_orientation = true, .choice = choice, .from = from, .to = to});
  add(dirty_, users_.data() + step * step_words_);
  is_rest_known_ = false;
}

bool CompiledModel::may_have_pairs(std::size_t choice) const {
  return !steps_[static_cast<std::size_t>(inputs.choices[choice].node)].is_void;
}

bool CompiledModel::is_open_pair(std::size_t choice, std::size_t a, std::size_t b) const {
  return contains_bit(open_pairs(choice) + a * stride_, b);
}

bool CompiledModel::has_open_pairs() const {
  std::size_t a = 0, b = 0;
  for (std::size_t i = 0; i < inputs.choices.size(); ++i)
    if (find_open_pair(i, a, b)) return true;
  return false;
}

bool CompiledModel::find_open_pair(std::size_t choice, std::size_t& a, std::size_t& b) const {
  const Word* open = open_pairs(choice);
  const Word* end = open + size_ * stride_;
  const Word* found = std::find_if(open, end, [](Word w) { return w != 0; });
  if (found == end) return false;
  const auto w = static_cast<std::size_t>(found - open);
  a = w / stride_;
  b = w % stride_ * 64 + static_cast<std::size_t>(std::countr_zero(*found));
  return true;
}

std::size_t CompiledModel::mark() {
  if (depth_ == marks_.size()) marks_.emplace_back();
  Mark& mark = marks_[depth_];
  mark.done = done_.size();
  mark.dirty = dirty_;
  mark.rebuild = rebuild_;
  return depth_++;
}

void CompiledModel::undo_to(std::size_t number) {
  const Mark& mark = marks_[number];
  for (; done_.size() > mark.done; done_.pop_back()) undo(done_.back());
  dirty_ = mark.dirty;
  rebuild_ = mark.rebuild;
  is_rest_known_ = false;
  depth_ = number;
}

void CompiledModel::undo(const Done& done) {
  if (!done.is_orientation) {
    std::copy_n(saved_words_.data() + done.place, steps_[done.step].count, rows(done.step));
    saved_words_.resize(done.place);
    return;
  }
  Choice& choice = inputs.choices[done.choice];
  Word* open = open_pairs(done.choice);
  choice.chosen.erase(done.from, done.to);
  erase_bit(rows(static_cast<std::uint32_t>(choice.node)) + done.from * stride_, done.to);
  insert_bit(open + done.from * stride_, done.to);
  insert_bit(open + done.to * stride_, done.from);
}

// --- Following them ---------------------------------------------------------------------------------------

/// False: an axiom that prunes is broken.
bool CompiledModel::bring_up_to_date(bool check_axioms) {
  if (has_stale_statics_) compute_static();
  for (std::size_t w = 0; w < step_words_; ++w)
    while (dirty_[w] != 0) {
      const auto i =
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(dirty_[w])));
      const Word bit = dirty_[w] & -dirty_[w];
      const bool rebuild = (rebuild_[w] & bit) != 0;
      dirty_[w] &= ~bit;
      rebuild_[w] &= ~bit;
      if (!update(i, rebuild, check_axioms)) return false;
    }
  return true;
}

/// Computes a step anew. False: an axiom that prunes is broken.
bool CompiledModel::update(std::uint32_t i, bool rebuild, bool check_axioms) {
  const Step& step = steps_[i];
  Word* value = rows(i);
  const Word* fresh = scratch_.data();
  if (step.op == cat::Operator::fixpoint) {
    std::copy_n(value, step.count, scratch_.data());
    compute_fixpoint(i);
    std::swap_ranges(value, value + step.count, scratch_.data());
  } else if (step.op == cat::Operator::closure && !rebuild) {
    std::copy_n(value, step.count, scratch_.data());
    extend_closure(scratch_.data(), operand(step, 0));
  } else {
    compute(step, inputs.present.words(), scratch_.data());
  }
  Word changed = 0, lost = 0;
  for (std::size_t w = 0; w < step.count; ++w) {
    changed |= value[w] ^ fresh[w];
    lost |= value[w] & ~fresh[w];
  }
  if (changed == 0) return true;
  done_.push_back({.step = i, .place = saved_words_.size()});
  saved_words_.insert(saved_words_.end(), value, value + step.count);
  std::copy_n(fresh, step.count, value);
  const Word* users = users_.data() + i * step_words_;
  add(dirty_, users);
  if (lost != 0) add(rebuild_, users);
  return !check_axioms || std::all_of(step.axioms.begin(), step.axioms.end(),
                                      [&](std::uint32_t axiom) { return holds(axioms_[axiom]); });
}

/// What no axiom that prunes depends on.
void CompiledModel::compute_rest() {
  bring_up_to_date(false);
  if (is_rest_known_) return;
  for (std::uint32_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    const bool is_in_recursion = i < model_.nodes.size() && node(static_cast<cat::NodeId>(i)).owner >= 0;
    if (!step.is_needed || step.is_void || is_in_recursion || step.same_as != i) continue;
    if (step.prunes && !step.is_static) continue;
    if (step.op == cat::Operator::fixpoint) {
      if (node(static_cast<cat::NodeId>(i)).index == 0) compute_fixpoint(i);
    } else {
      compute(step, inputs.present.words(), rows(i));
    }
  }
  is_rest_known_ = true;
}

// --- Judgement --------------------------------------------------------------------------------------------

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
  return std::all_of(axioms_.begin(), axioms_.end(), [this](const Axiom& axiom) {
    return !axiom.prunes || !axiom.test->negated || holds(axiom);
  });
}

/// Orients the open pairs of which one way would close a cycle. Returns whether there were any.
bool CompiledModel::orient_forced() {
  bool any = false;
  for (const Rule& rule : rules_) {
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
    return contains_bit(static_words_.data() + filter.static_place + a * stride_, b);
  });
}

bool CompiledModel::refuses(const Source& source) const {
  return std::any_of(source_rules_.begin(), source_rules_.end(), [&](const SourceRule& rule) {
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
  const bool has_rest =
      std::any_of(axioms_.begin(), axioms_.end(), [](const Axiom& axiom) { return !axiom.prunes; });
  if (has_rest) compute_rest();
  return std::all_of(axioms_.begin(), axioms_.end(), [this](const Axiom& axiom) {
    return (axiom.prunes && !axiom.test->negated) || holds(axiom);
  });
}

bool CompiledModel::is_raised(std::size_t flag) {
  compute_rest();
  return holds(flags_[flag]);
}

std::uint32_t CompiledModel::find_step(std::string_view name) const {
  const cat::Definition* definition = model_.find(name);
  check(definition != nullptr, "a name that the model does not have");
  return step_of(definition->node);
}

void CompiledModel::copy_value(std::uint32_t i, BitMatrix& value) {
  if (steps_[i].prunes && !steps_[i].is_static)
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
