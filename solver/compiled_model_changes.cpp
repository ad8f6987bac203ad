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

/// A row of the result follows from the rows of the operands without looking at all of them.
bool is_row_by_row(cat::Operator op) {
  return op == cat::Operator::base || op == cat::Operator::unite || op == cat::Operator::intersect ||
         op == cat::Operator::subtract || op == cat::Operator::compose || op == cat::Operator::inverse ||
         op == cat::Operator::from_reads;
}

}  // namespace

// --- Changes ----------------------------------------------------------------------------------------------

void CompiledModel::note(Change change) {
  add(dirty_, affected_[change].data());
  add(entire_, affected_[change].data());
  is_rest_known_ = false;
}

void CompiledModel::note_source(std::size_t read, std::size_t write) {
  is_rest_known_ = false;
  for (const std::uint32_t step : rf_steps_) {
    insert_bit(dirty_.data(), step);
    insert_bit(pending_.data() + 2 * step * stride_, write);
  }
  for (const std::uint32_t step : from_reads_steps_) {
    insert_bit(dirty_.data(), step);
    if (steps_[step].op != cat::Operator::from_reads) insert_bit(entire_.data(), step);
    insert_bit(pending_.data() + (2 * step + 1) * stride_, read);
  }
}

/// The value of the choice follows at once.
void CompiledModel::orient(std::size_t choice, std::size_t from, std::size_t to) {
  const auto step = static_cast<std::uint32_t>(inputs.choices[choice].node);
  Word* open = open_pairs(choice);
  inputs.choices[choice].chosen.insert(from, to);
  insert_bit(rows(step) + from * stride_, to);
  erase_bit(open + from * stride_, to);
  erase_bit(open + to * stride_, from);
  done_.push_back({.is_orientation = true,
                   .step = static_cast<std::uint32_t>(choice),
                   .row = static_cast<std::uint32_t>(from),
                   .to = static_cast<std::uint32_t>(to)});
  std::fill(changed_.begin(), changed_.end(), 0);
  insert_bit(changed_.data(), from);
  has_lost_ = false;
  tell_users(step);
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
  for_each_member(dirty_.data(), step_words_, [&](std::size_t step) {
    std::fill_n(pending_.begin() + static_cast<std::ptrdiff_t>(2 * step * stride_), 2 * stride_, 0);
  });
  dirty_ = mark.dirty;
  entire_ = mark.dirty;  // which rows of them it was is forgotten
  rebuild_ = mark.rebuild;
  is_rest_known_ = false;
  depth_ = number;
}

void CompiledModel::undo(const Done& done) {
  if (!done.is_orientation) {
    std::copy_n(saved_words_.data() + done.place, stride_, rows(done.step) + done.row * stride_);
    saved_words_.resize(done.place);
    return;
  }
  Choice& choice = inputs.choices[done.step];
  Word* open = open_pairs(done.step);
  choice.chosen.erase(done.row, done.to);
  erase_bit(rows(static_cast<std::uint32_t>(choice.node)) + done.row * stride_, done.to);
  insert_bit(open + done.row * stride_, done.to);
  insert_bit(open + done.to * stride_, done.row);
}

// --- Following them ---------------------------------------------------------------------------------------

/// False: an axiom that prunes is broken.
bool CompiledModel::bring_up_to_date(bool check_axioms) {
  if (has_stale_statics_) compute_static();
  for (std::size_t w = 0; w < step_words_; ++w)
    while (dirty_[w] != 0) {
      const auto i =
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(dirty_[w])));
      erase_bit(dirty_.data(), i);
      if (!update(i, check_axioms)) return false;
    }
  return true;
}

/// Computes a step anew, as far as changes concern it. False: an axiom that prunes is broken.
bool CompiledModel::update(std::uint32_t i, bool check_axioms) {
  const Step& step = steps_[i];
  std::fill(changed_.begin(), changed_.end(), 0);
  has_lost_ = false;
  find_rows(step, i);
  if (step.op == cat::Operator::closure && !contains_bit(rebuild_.data(), i))
    extend_closure(i);
  else if (!step.is_set && (step.is_static || is_row_by_row(step.op)))
    update_rows(i);
  else
    update_whole(i);
  erase_bit(rebuild_.data(), i);
  if (std::all_of(changed_.begin(), changed_.end(), [](Word w) { return w == 0; })) return true;
  tell_users(i);
  return !check_axioms || std::none_of(step.axioms.begin(), step.axioms.end(),
                                       [&](std::uint32_t axiom) { return is_broken(axioms_[axiom]); });
}

/// Which rows changes concern: those of the operands that have changed, of a product also those that lead
/// there.
void CompiledModel::find_rows(const Step& step, std::uint32_t i) {
  Word* first = pending_.data() + 2 * i * stride_;
  Word* second = first + stride_;
  if (contains_bit(entire_.data(), i)) {
    std::copy_n(all_.words(), stride_, to_compute_.data());
    erase_bit(entire_.data(), i);
  } else if (step.op == cat::Operator::from_reads) {
    std::copy_n(second, stride_, to_compute_.data());  // reads that have got a source
    for (const Source& source : inputs.sources)
      if (contains_bit(first, source.write)) insert_bit(to_compute_.data(), source.read);
  } else if (step.op == cat::Operator::inverse) {
    std::fill_n(to_compute_.data(), stride_, 0);
    const Word* from = operand(step, 0);
    for_each_member(first, stride_, [&](std::size_t a) {
      for (std::size_t b = 0; b < size_; ++b)
        if (contains_bit(from + a * stride_, b) != contains_bit(rows(i) + b * stride_, a))
          insert_bit(to_compute_.data(), b);
    });
  } else {
    for (std::size_t w = 0; w < stride_; ++w) to_compute_[w] = first[w] | second[w];
    if (step.op == cat::Operator::compose) {
      std::copy_n(first, stride_, to_compute_.data());
      const Word* left = operand(step, 0);
      for (std::size_t row = 0; row < size_; ++row)
        for (std::size_t w = 0; w < stride_; ++w)
          if ((left[row * stride_ + w] & second[w]) != 0) insert_bit(to_compute_.data(), row);
    }
  }
  std::fill_n(first, 2 * stride_, 0);
}

void CompiledModel::update_rows(std::uint32_t i) {
  const Step& step = steps_[i];
  Word* fresh = scratch_.data();
  for_each_member(to_compute_.data(), stride_, [&](std::size_t row) {
    compute_row(step, row, fresh);
    change_row(i, row, fresh);
  });
}

void CompiledModel::update_whole(std::uint32_t i) {
  const Step& step = steps_[i];
  Word* fresh = scratch_.data();
  if (step.op == cat::Operator::fixpoint) {
    std::copy_n(rows(i), step.count, fresh);
    compute_fixpoint(i);
    std::swap_ranges(fresh, fresh + step.count, rows(i));
  } else {
    compute(step, inputs.present.words(), fresh);
  }
  for (std::size_t row = 0; row * stride_ < step.count; ++row, fresh += stride_) change_row(i, row, fresh);
}

void CompiledModel::change_row(std::uint32_t i, std::size_t row, const Word* fresh) {
  Word* value = rows(i) + row * stride_;
  Word different = 0, lost = 0;
  for (std::size_t w = 0; w < stride_; ++w) {
    different |= value[w] ^ fresh[w];
    lost |= value[w] & ~fresh[w];
  }
  if (different == 0) return;
  save_row(i, row);
  has_lost_ |= lost != 0;
  for (std::size_t w = 0; w < stride_; ++w) value[w] = fresh[w];
}

/// From the closure of what a relation was before it grew to its closure now: each new pair joins what comes
/// before it to what comes after (G. F. Italiano 1986).
void CompiledModel::extend_closure(std::uint32_t i) {
  const Word* relation = operand(steps_[i], 0);
  Word* closure = rows(i);
  for_each_member(to_compute_.data(), stride_, [&](std::size_t a) {
    for (std::size_t w = 0; w < stride_; ++w)
      for (Word open = relation[a * stride_ + w] & ~closure[a * stride_ + w]; open != 0;
           open &= ~closure[a * stride_ + w]) {
        const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
        const Word* after = closure + b * stride_;
        for (std::size_t x = 0; x < size_; ++x) {
          Word* row = closure + x * stride_;
          if ((x != a && !contains_bit(row, a)) || contains_bit(row, b)) continue;
          save_row(i, x);
          for (std::size_t v = 0; v < stride_; ++v) row[v] |= after[v];
          insert_bit(row, b);
        }
      }
  });
}

/// Before it changes. Rows behind the value, of a choice or of a recursion, change with what is in it.
void CompiledModel::save_row(std::uint32_t i, std::size_t row) {
  const Word* value = rows(i) + row * stride_;
  done_.push_back({.step = i, .row = static_cast<std::uint32_t>(row), .place = saved_words_.size()});
  for (std::size_t w = 0; w < stride_; ++w) saved_words_.push_back(value[w]);
  insert_bit(changed_.data(), row % size_);
}

void CompiledModel::tell_users(std::uint32_t i) {
  for (const User& user : users_[i]) {
    insert_bit(dirty_.data(), user.step);
    if (has_lost_) insert_bit(rebuild_.data(), user.step);
    if (user.operand == whole) {
      insert_bit(entire_.data(), user.step);
      continue;
    }
    Word* pending = pending_.data() + (2 * user.step + user.operand) * stride_;
    for (std::size_t w = 0; w < stride_; ++w) pending[w] |= changed_[w];
  }
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

/// By the rows that have changed.
bool CompiledModel::is_broken(const Axiom& axiom) const {
  const Step& step = steps_[axiom.tested];
  if (axiom.test->negated || step.is_set || step.op == cat::Operator::fixpoint)
    return !axiom.test->negated && !holds(axiom);
  const bool is_empty = axiom.test->form == cat::Test::Form::empty;
  bool broken = false;
  for_each_member(changed_.data(), stride_, [&](std::size_t row) {
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
