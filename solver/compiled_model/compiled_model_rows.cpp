#include <algorithm>
#include <bit>

#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/compiled_model.hpp"

// Updates of the values of a compiled model row by row, if a row of the result follows from rows of the
// operands. There is a separate instantiation for rows of one word, which suffice for most programs.

namespace ptxmc {

namespace {

template <std::size_t Words>
bool is_empty(const std::uint64_t* row, std::size_t words) {
  if constexpr (Words == 1) return row[0] == 0;
  return std::all_of(row, row + words, [](std::uint64_t w) { return w == 0; });
}

template <std::size_t Words>
bool contains(const std::uint64_t* row, std::size_t i) {
  if constexpr (Words == 1) return (row[0] >> i & 1) != 0;
  return contains_bit(row, i);
}

}  // namespace

inline void CompiledModel::change_word(std::size_t place, std::size_t row, Word fresh) {
  const Word before = values_[place];
  if (before == fresh) return;
  values_.set(place, fresh);
  rows_.have_lost |= (before & ~fresh) != 0;
  insert_bit(rows_.changed.data(), row);
}

/// False: an axiom that prunes is broken.
bool CompiledModel::bring_up_to_date(bool check_axioms) {
  if (statics_.are_stale) compute_static();
  if (!check_axioms) outdated_.leave_untested();
  if (!(stride_ == 1 ? follow<1>(check_axioms) : follow<0>(check_axioms))) return false;
  if (!check_axioms || !outdated_.has_untested()) return true;
  outdated_.set_tested();
  return std::all_of(tests_.axioms.begin(), tests_.axioms.end(), [this](const Axiom& axiom) {
    return !axiom.prunes || axiom.test->negated || holds(axiom);
  });
}

template <std::size_t Words>
bool CompiledModel::follow(bool check_axioms) {
  return outdated_.take_all([&](std::uint32_t step) { return update<Words>(step, check_axioms); });
}

/// Updates a step after changes. Returns false if an axiom that prunes is violated.
template <std::size_t Words>
bool CompiledModel::update(std::uint32_t i, bool check_axioms) {
  const std::size_t words = Words != 0 ? Words : stride_;
  std::fill_n(rows_.changed.data(), words, 0);
  rows_.have_lost = false;
  find_rows<Words>(i);
  update_rows<Words>(i);
  outdated_.set_computed(i);
  if (is_empty<Words>(rows_.changed.data(), words)) return true;
  tell_users<Words>(i);
  if (!check_axioms) return true;
  for (const std::uint32_t axiom : steps_[i].axioms)
    if (is_broken(tests_.axioms[axiom])) return false;
  return true;
}

/// The rows to update: those whose rows in an operand have changed; for a composition also those that lead to
/// changed rows; for a value that depends only on the events those that relate a new event.
template <std::size_t Words>
void CompiledModel::find_rows(std::uint32_t i) {
  const Step& step = steps_[i];
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* first = outdated_.rows(i);
  const Word* second = first + words;
  const auto add_leading_to = [&](const Word* relation, const Word* rows) {
    for (std::size_t row = 0; row < size_; ++row)
      for (std::size_t w = 0; w < words; ++w)
        if ((relation[row * words + w] & rows[w]) != 0) insert_bit(rows_.to_compute.data(), row);
  };
  if (outdated_.is_entire(i)) {
    std::copy_n(kinds_.all.words(), words, rows_.to_compute.data());
  } else if (step.is_static && !step.is_set) {
    std::copy_n(first, words, rows_.to_compute.data());
    add_leading_to(static_rows(step), first);
  } else if (step.op == cat::Operator::compose) {
    std::copy_n(first, words, rows_.to_compute.data());
    if (!is_empty<Words>(second, words)) add_leading_to(operand(step, 0), second);
  } else if (step.op == cat::Operator::from_reads) {
    std::copy_n(second, words, rows_.to_compute.data());  // reads with a new source
    if (!is_empty<Words>(first, words))
      for (const Source& source : inputs.sources)
        if (contains_bit(first, source.write)) insert_bit(rows_.to_compute.data(), source.read);
  } else {
    for (std::size_t w = 0; w < words; ++w) rows_.to_compute[w] = first[w] | second[w];
  }
  outdated_.set_rows_known<Words>(i);
}

template <std::size_t Words>
void CompiledModel::update_rows(std::uint32_t i) {
  const Step& step = steps_[i];
  const bool has_grown = !outdated_.has_shrunk(i);
  if (step.is_set) return update_whole<Words>(i);
  if (step.is_static) return update_static<Words>(i);
  switch (step.op) {
    case cat::Operator::base:
    case cat::Operator::unite:
    case cat::Operator::intersect:
    case cat::Operator::subtract:
    case cat::Operator::compose:
    case cat::Operator::optional:
      return update_row_by_row<Words>(i);
    case cat::Operator::from_reads:
      return update_from_reads<Words>(i);
    case cat::Operator::inverse:
      return has_grown ? update_inverse<Words>(i) : update_whole<Words>(i);
    case cat::Operator::closure:
      return has_grown ? extend_closure<Words>(i) : update_whole<Words>(i);
    case cat::Operator::orientations:
      return has_grown ? extend_choice<Words>(i) : update_whole<Words>(i);
    default:
      return update_whole<Words>(i);
  }
}

template <std::size_t Words>
void CompiledModel::update_static(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* present = inputs.present.words();
  const Word* all = static_rows(steps_[i]);
  update_each<Words>(i, [=](std::size_t row, std::size_t w) {
    return contains<Words>(present, row) ? all[row * words + w] & present[w] : 0;
  });
}

template <std::size_t Words>
void CompiledModel::update_row_by_row(std::uint32_t i) {
  const Step& step = steps_[i];
  const std::size_t words = Words != 0 ? Words : stride_;
  const bool is_base = step.op == cat::Operator::base;
  const Word* a = is_base ? base_rows(step) : operand(step, 0);
  const Word* b = step.operands.size() < 2 ? nullptr : operand(step, 1);
  const Word* present = inputs.present.words();
  const auto each = [&](const auto& word) {
    update_each<Words>(i, [&](std::size_t row, std::size_t w) { return word(row, w, row * words + w); });
  };
  switch (step.op) {
    case cat::Operator::base:
      return each([=](std::size_t, std::size_t, std::size_t at) { return a[at]; });
    case cat::Operator::unite:
      return each([=](std::size_t, std::size_t, std::size_t at) { return a[at] | b[at]; });
    case cat::Operator::intersect:
      return each([=](std::size_t, std::size_t, std::size_t at) { return a[at] & b[at]; });
    case cat::Operator::subtract:
      return each([=](std::size_t, std::size_t, std::size_t at) { return a[at] & ~b[at]; });
    case cat::Operator::optional:
      return each([=](std::size_t row, std::size_t w, std::size_t at) {
        const bool has_itself = row / 64 == w && contains<Words>(present, row);
        return a[at] | (has_itself ? Word{1} << (row % 64) : 0);
      });
    default:  // a composition
      return each([=](std::size_t row, std::size_t w, std::size_t) {
        Word result = 0;
        for_each_member(a + row * words, words, [&](std::size_t k) { result |= b[k * words + w]; });
        return result;
      });
  }
}

/// `word(row, w)` is the new value of a word of the row.
template <std::size_t Words, class Row>
void CompiledModel::update_each(std::uint32_t i, const Row& word) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const std::size_t place = steps_[i].memory.place;
  for_each_member(rows_.to_compute.data(), words, [&](std::size_t row) {
    for (std::size_t w = 0; w < words; ++w) change_word(place + row * words + w, row, word(row, w));
  });
}

template <std::size_t Words>
void CompiledModel::update_from_reads(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* coherence = operand(steps_[i], 0);
  for_each_member(rows_.to_compute.data(), words,
                  [&](std::size_t row) { std::fill_n(scratch_.data() + row * words, words, 0); });
  for (const Source& source : inputs.sources)
    if (contains<Words>(rows_.to_compute.data(), source.read))
      for (std::size_t w = 0; w < words; ++w)
        scratch_[source.read * words + w] |= coherence[source.write * words + w] & source.writers->words()[w];
  update_each<Words>(
      i, [&, fresh = scratch_.data()](std::size_t row, std::size_t w) { return fresh[row * words + w]; });
}

/// Updates the inverse of a relation that has grown.
template <std::size_t Words>
void CompiledModel::update_inverse(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const std::size_t place = steps_[i].memory.place;
  const Word* from = operand(steps_[i], 0);
  for_each_member(rows_.to_compute.data(), words, [&](std::size_t a) {
    for_each_member(from + a * words, words, [&](std::size_t b) {
      const std::size_t word = place + b * words + a / 64;
      change_word(word, b, values_[word] | Word{1} << (a % 64));
    });
  });
}

template <std::size_t Words>
void CompiledModel::update_whole(std::uint32_t i) {
  const Step& step = steps_[i];
  const std::size_t words = Words != 0 ? Words : stride_;
  Word* fresh = scratch_.data();
  if (step.op == cat::Operator::fixpoint) {
    std::copy_n(rows(i), step.memory.count, fresh);
    compute_fixpoint(i);
    std::swap_ranges(fresh, fresh + step.memory.count, rows(i));
  } else {
    compute(step, inputs.present.words(), fresh);
  }
  for (std::size_t w = 0; w < step.memory.count; ++w)
    change_word(step.memory.place + w, w / words % size_, fresh[w]);
}

/// Extends the closure of a relation after the relation has grown.
template <std::size_t Words>
void CompiledModel::extend_closure(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* relation = operand(steps_[i], 0);
  const Word* closure = rows(i);
  constexpr std::size_t few = 3;
  std::size_t grown = 0;
  for_each_member(rows_.to_compute.data(), words, [&](std::size_t) { ++grown; });
  if (grown > few) return close_again<Words>(i);
  for_each_member(rows_.to_compute.data(), words, [&](std::size_t a) {
    find_gained<Words>(relation + a * words, closure + a * words, closure);
    if (is_empty<Words>(rows_.gained.data(), words)) return;
    for (std::size_t x = 0; x < size_; ++x)
      if (x == a || contains<Words>(closure + x * words, a)) add_gained<Words>(i, x);
  });
}

/// Computes each row once, after the rows that it leads to.
template <std::size_t Words>
void CompiledModel::close_again(std::uint32_t i) {
  std::fill(rows_.entered.begin(), rows_.entered.end(), 0);
  std::fill(rows_.left.begin(), rows_.left.end(), 0);
  for (std::size_t x = 0; x < size_; ++x)
    if (!contains<Words>(rows_.left.data(), x) && !close_from<Words>(i, x))
      return extend_closure_backwards<Words>(i);
}

/// Returns false if there is a cycle.
template <std::size_t Words>
bool CompiledModel::close_from(std::uint32_t i, std::size_t x) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* relation = operand(steps_[i], 0) + x * words;
  insert_bit(rows_.entered.data(), x);
  for (std::size_t w = 0; w < words; ++w)
    for (Word open = relation[w] & ~rows_.left[w]; open != 0; open = relation[w] & ~rows_.left[w]) {
      const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
      if (contains<Words>(rows_.entered.data(), b) || !close_from<Words>(i, b)) return false;
    }
  insert_bit(rows_.left.data(), x);
  std::fill_n(rows_.gained.data(), words, 0);
  for (std::size_t w = 0; w < words; ++w)
    for (Word open = relation[w] & ~rows_.gained[w]; open != 0; open &= ~rows_.gained[w]) {
      const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(open));
      insert_bit(rows_.gained.data(), b);
      gain<Words>(rows(i) + b * words);
    }
  add_gained<Words>(i, x);
  return true;
}

/// Goes through the events in reverse order, repeatedly until nothing changes. Most relations lead from
/// earlier to later events, whose rows are complete by then.
template <std::size_t Words>
void CompiledModel::extend_closure_backwards(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const Word* relation = operand(steps_[i], 0);
  const Word* closure = rows(i);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t x = size_; x-- > 0;) {
      const Word* row = closure + x * words;
      if (contains<Words>(rows_.to_compute.data(), x))
        find_gained<Words>(relation + x * words, row, closure);
      else
        std::fill_n(rows_.gained.data(), words, 0);
      for (std::size_t w = 0; w < words; ++w) {
        const Word passed = row[w] & rows_.changed[w];
        for_each_member(&passed, 1, [&](std::size_t bit) { gain<Words>(closure + (w * 64 + bit) * words); });
      }
      if (!is_empty<Words>(rows_.gained.data(), words)) changes |= add_gained<Words>(i, x);
    }
  }
}

/// Adds the events that are reachable through the new pairs of a row.
template <std::size_t Words>
void CompiledModel::find_gained(const Word* relation, const Word* row, const Word* closure) {
  const std::size_t words = Words != 0 ? Words : stride_;
  std::fill_n(rows_.gained.data(), words, 0);
  for (std::size_t w = 0; w < words; ++w) {
    const Word fresh = relation[w] & ~row[w];
    for_each_member(&fresh, 1, [&](std::size_t bit) { gain<Words>(closure + (w * 64 + bit) * words); });
    rows_.gained[w] |= fresh;
  }
}

template <std::size_t Words>
inline void CompiledModel::gain(const Word* row) {
  const std::size_t words = Words != 0 ? Words : stride_;
  for (std::size_t w = 0; w < words; ++w) rows_.gained[w] |= row[w];
}

/// Returns false if the row contains all of it already.
template <std::size_t Words>
inline bool CompiledModel::add_gained(std::uint32_t i, std::size_t row) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const std::size_t place = steps_[i].memory.place + row * words;
  bool any = false;
  for (std::size_t w = 0; w < words; ++w) {
    any |= (rows_.gained[w] & ~values_[place + w]) != 0;
    change_word(place + w, row, values_[place + w] | rows_.gained[w]);
  }
  return any;
}

/// Updates the value, the pairs that are not oriented yet, and the orientations. New pairs are not oriented.
template <std::size_t Words>
void CompiledModel::extend_choice(std::uint32_t i) {
  const std::size_t words = Words != 0 ? Words : stride_;
  const std::size_t open = steps_[i].memory.place + size_ * words, chosen = open + size_ * words;
  const Word* related = operand(steps_[i], 0);
  const auto insert = [&](std::size_t a, std::size_t b) {
    values_.save(open + a * words + b / 64);
    insert_bit(values_.data() + open + a * words, b);
  };
  for_each_member(rows_.to_compute.data(), words, [&](std::size_t a) {
    for (std::size_t w = 0; w < words; ++w) {
      const std::size_t at = a * words + w;
      const Word fresh = related[at] & ~values_[open + at] & ~values_[chosen + at];
      for_each_member(&fresh, 1, [&](std::size_t bit) {
        const std::size_t b = w * 64 + bit;
        if (a == b || contains_bit(values_.data() + chosen + b * words, a)) return;
        insert(a, b);
        if (!contains_bit(values_.data() + open + b * words, a)) insert(b, a);
      });
    }
  });
}

template <std::size_t Words>
void CompiledModel::tell_users(std::uint32_t i) {
  for (const StepUser& user : users_.of_step[i])
    outdated_.add_rows<Words>(user, rows_.changed.data(), rows_.have_lost);
}

}  // namespace ptxmc
