#include "src/compiler/mapping_search.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace ptxmc {
namespace {

/// The indices of choices by slots.
using Assignment = std::vector<std::uint8_t>;

struct Slot {
  OperationKind kind = OperationKind::load;
  std::size_t thread = 0;
  bool is_first = true, is_last = true;               ///< of the operations of its thread
  bool follows_read = false, precedes_write = false;  ///< an access before, behind it in the thread
  std::vector<OperationChoice> choices;
  std::size_t all_choices = 0;                          ///< before those without an effect were removed
  std::vector<std::vector<std::uint8_t>> below, above;  ///< the next weaker and stronger ones of each choice
  std::vector<unsigned> rank;                           ///< the length of the longest chain below
};

Ordering without_acquire(Ordering order, bool is_fence) {
  if (order == Ordering::acq_rel) return Ordering::release;
  if (order != Ordering::acquire) return order;
  return is_fence ? Ordering::none : Ordering::relaxed;
}

Ordering without_release(Ordering order, bool is_fence) {
  if (order == Ordering::acq_rel) return Ordering::acquire;
  if (order != Ordering::release) return order;
  return is_fence ? Ordering::none : Ordering::relaxed;
}

/// The weakest order with which the source means the same. An acquire orders what follows, a release what
/// precedes; a fence works together with reads before it and with writes behind it.
Ordering meaning(const Slot& slot, Ordering order) {
  const bool is_fence = slot.kind == OperationKind::fence;
  const bool can_acquire = is_fence ? slot.follows_read : !slot.is_last;
  const bool can_release = is_fence ? slot.precedes_write : !slot.is_first;
  if (!can_acquire) order = without_acquire(order, is_fence);
  if (!can_release) order = without_release(order, is_fence);
  return order;
}

bool is_at_most(const OperationChoice& a, const OperationChoice& b) {
  const auto strength = [](Ordering order) {
    return Strength{order, order == Ordering::none ? Scope::none : Scope::gpu};
  };
  return is_weaker_or_equal(strength(a.order), strength(b.order)) && is_weaker_or_equal(a.code, b.code);
}

/// Removes choices for which a weaker one means the same.
void remove_idle_choices(Slot& slot) {
  const std::vector<OperationChoice> all = slot.choices;
  std::erase_if(slot.choices, [&](const OperationChoice& choice) {
    const Ordering same = meaning(slot, choice.order);
    return same != choice.order && std::ranges::any_of(all, [&](const OperationChoice& other) {
             return other.order == same && is_at_most(other, choice);
           });
  });
}

void order_choices(Slot& slot) {
  const auto& choices = slot.choices;
  const std::size_t count = choices.size();
  slot.below.assign(count, {});
  slot.above.assign(count, {});
  slot.rank.assign(count, 0);
  const auto precedes = [&](std::size_t a, std::size_t b) {
    return a != b && is_at_most(choices[a], choices[b]);
  };
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      bool is_next = precedes(a, b);
      for (std::size_t c = 0; c < count && is_next; ++c) is_next = !(precedes(a, c) && precedes(c, b));
      if (!is_next) continue;
      slot.above[a].push_back(static_cast<std::uint8_t>(b));
      slot.below[b].push_back(static_cast<std::uint8_t>(a));
    }
  for (std::size_t round = 0; round < count; ++round)
    for (std::size_t b = 0; b < count; ++b)
      for (const std::uint8_t a : slot.below[b]) slot.rank[b] = std::max(slot.rank[b], slot.rank[a] + 1);
}

std::vector<Slot> slots_of_shape(const ProgramShape& shape, const MappingQuestion& question) {
  std::vector<Slot> slots;
  for (std::size_t t = 0; t < shape.threads.size(); ++t) {
    const auto& accesses = shape.threads[t];
    for (std::size_t number = 0; number < slots_of(accesses.size()); ++number) {
      Slot slot;
      const std::size_t access = number / 2;
      slot.kind = number % 2 == 0 ? accesses[access].kind : OperationKind::fence;
      slot.thread = t;
      slot.is_first = number == 0;
      slot.is_last = number + 1 == slots_of(accesses.size());
      for (std::size_t i = 0; i <= access; ++i) slot.follows_read |= accesses[i].kind != OperationKind::store;
      for (std::size_t i = access + 1; i < accesses.size(); ++i)
        slot.precedes_write |= accesses[i].kind != OperationKind::load;
      slot.choices = choices_of(slot.kind, question);
      slot.all_choices = slot.choices.size();
      remove_idle_choices(slot);
      order_choices(slot);
      slots.push_back(std::move(slot));
    }
  }
  return slots;
}

class ShapeSearch {
 public:
  ShapeSearch(const ProgramShape& shape, const MappingQuestion& question, SmallPrograms& programs)
      : shape_(shape), question_(question), programs_(programs), slots_(slots_of_shape(shape, question)) {}

  ShapeAnswer answer() {
    count_programs();
    find_strongest();
    add_minimal();
    while (!waiting_.empty() && !answer_.counterexample && answer_.unknown.empty()) {
      const std::set<Assignment> level = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      for (const Assignment& assignment : level) {
        if (answer_.counterexample || !answer_.unknown.empty()) break;
        examine(assignment);
      }
    }
    return std::move(answer_);
  }

 private:
  /// Orbits of the assignments under the symmetries of the shape: the mean number of those that a symmetry
  /// leaves as they are.
  void count_programs() {
    std::vector<std::uint64_t> of_thread(shape_.threads.size(), 1);
    for (const Slot& slot : slots_) of_thread[slot.thread] *= slot.all_choices;
    std::uint64_t fixed = 0;
    for (const std::vector<unsigned>& symmetry : shape_.symmetries) {
      std::vector<bool> seen(symmetry.size(), false);
      std::uint64_t product = 1;
      for (unsigned i = 0; i < symmetry.size(); ++i) {
        if (!seen[i]) product *= of_thread[i];
        for (unsigned t = i; !seen[t]; t = symmetry[t]) seen[t] = true;
      }
      fixed += product;
    }
    answer_.programs = fixed / shape_.symmetries.size();
  }

  ShapeChoices choices(const Assignment& assignment) const {
    ShapeChoices result;
    for (std::size_t i = 0; i < slots_.size(); ++i) result.push_back(&slots_[i].choices[assignment[i]]);
    return result;
  }

  SmallOutcomes outcomes(const ObservedProgram& program, const cat::Model& model) {
    ++answer_.runs;
    SmallOutcomes found = outcomes_of(program, model, question_);
    if (!found.reason.empty() && answer_.unknown.empty()) answer_.unknown = found.reason;
    return found;
  }

  /// The outcomes that every source of this shape allows.
  void find_strongest() {
    const OperationChoice strongest{Ordering::sc, {}};
    const ShapeChoices everywhere(slots_.size(), &strongest);
    strongest_ = outcomes(programs_.source(shape_, everywhere), question_.source_model);
  }

  SmallOutcomes target(const Assignment& assignment) {
    return outcomes(programs_.target(shape_, choices(assignment)), question_.target_model);
  }

  SmallOutcomes source(const Assignment& assignment) {
    return outcomes(programs_.source(shape_, choices(assignment)), question_.source_model);
  }

  static bool includes(const SmallOutcomes& all, const SmallOutcomes& some) {
    return std::ranges::includes(all.values, some.values);
  }

  unsigned rank(const Assignment& assignment) const {
    unsigned sum = 0;
    for (std::size_t i = 0; i < slots_.size(); ++i) sum += slots_[i].rank[assignment[i]];
    return sum;
  }

  /// The first of the assignments that are equal up to symmetry.
  Assignment first_of(const Assignment& assignment) const {
    Assignment least = assignment;
    for (const std::vector<unsigned>& symmetry : shape_.symmetries) {
      Assignment other;
      for (const unsigned thread : symmetry)
        for (std::size_t i = 0; i < slots_.size(); ++i)
          if (slots_[i].thread == thread) other.push_back(assignment[i]);
      least = std::min(least, other);
    }
    return least;
  }

  void add(const Assignment& assignment) {
    const Assignment first = first_of(assignment);
    waiting_[rank(first)].insert(first);
  }

  void add_minimal() {
    Assignment assignment(slots_.size(), 0);
    while (true) {
      if (rank(assignment) == 0) add(assignment);
      std::size_t i = 0;
      while (i < slots_.size() && ++assignment[i] == slots_[i].choices.size()) assignment[i++] = 0;
      if (i == slots_.size()) return;
    }
  }

  /// The number of source outcomes of an examined assignment; empty: a program below it settles it.
  std::optional<std::size_t> size_at(const Assignment& assignment) const {
    const auto known = sizes_.find(first_of(assignment));
    return known == sizes_.end() ? std::nullopt : std::optional(known->second);
  }

  /// An assignment below whose source means the same: if only one thread has operations of order seq_cst, one
  /// of them may be acquire and release. A cycle of the order of seq_cst operations that stays in one thread
  /// breaks coherence too.
  std::optional<Assignment> same_meaning(const Assignment& assignment) const {
    std::set<std::size_t> threads;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].choices[assignment[i]].order == Ordering::sc) threads.insert(slots_[i].thread);
    if (threads.size() != 1) return std::nullopt;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      const OperationChoice& own = slot.choices[assignment[i]];
      if (own.order != Ordering::sc) continue;
      const Ordering weaker = slot.kind == OperationKind::load    ? Ordering::acquire
                              : slot.kind == OperationKind::store ? Ordering::release
                                                                  : Ordering::acq_rel;
      for (std::size_t c = 0; c < slot.choices.size(); ++c) {
        if (slot.choices[c].order != meaning(slot, weaker) || !is_at_most(slot.choices[c], own)) continue;
        Assignment other = assignment;
        other[i] = static_cast<std::uint8_t>(c);
        return other;
      }
    }
    return std::nullopt;
  }

  /// The assignments directly below; empty: one of them, or a program below it, settles this one.
  std::optional<std::vector<std::size_t>> sizes_below(const Assignment& assignment) const {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < slots_.size(); ++i)
      for (const std::uint8_t weaker : slots_[i].below[assignment[i]]) {
        Assignment other = assignment;
        other[i] = weaker;
        const auto size = size_at(other);
        if (!size) return std::nullopt;
        sizes.push_back(*size);
      }
    return sizes;
  }

  void examine(const Assignment& assignment) {
    const auto below = sizes_below(assignment);
    if (!below) return;
    std::optional<SmallOutcomes> compiled;
    if (below->empty()) {
      compiled = target(assignment);
      if (includes(strongest_, *compiled)) return;
    }
    std::optional<std::size_t> size;
    std::optional<SmallOutcomes> allowed;
    if (const auto same = same_meaning(assignment)) {
      size = size_at(*same);
      if (!size) return;
    } else {
      allowed = source(assignment);
      size = allowed->values.size();
    }
    // The source of an assignment above has no further outcomes, so that the numbers tell whether it has
    // fewer.
    const bool is_settled = !allowed || std::ranges::find(*below, allowed->values.size()) != below->end();
    if (!is_settled) {
      if (!compiled) compiled = target(assignment);
      if (!answer_.unknown.empty()) return;
      if (!includes(*allowed, *compiled)) {
        answer_.counterexample = {source_text(shape_, choices(assignment), question_.scope),
                                  target_text(shape_, choices(assignment), question_.scope)};
        return;
      }
      if (includes(strongest_, *compiled)) return;
    }
    sizes_.emplace(assignment, *size);
    for (std::size_t i = 0; i < slots_.size(); ++i)
      for (const std::uint8_t stronger : slots_[i].above[assignment[i]]) {
        Assignment other = assignment;
        other[i] = stronger;
        add(other);
      }
  }

  const ProgramShape& shape_;
  const MappingQuestion& question_;
  SmallPrograms& programs_;
  const std::vector<Slot> slots_;
  SmallOutcomes strongest_;
  ShapeAnswer answer_;
  std::map<unsigned, std::set<Assignment>> waiting_;  ///< by rank, weakest first
  std::map<Assignment, std::size_t> sizes_;           ///< of the sources of those above which others are open
};

}  // namespace

std::vector<OperationChoice> choices_of(OperationKind kind, const MappingQuestion& question) {
  std::vector<OperationChoice> result;
  if (kind == OperationKind::fence) result.emplace_back();
  for (const Ordering order : orders_of(kind))
    for (const Mapping& mapping : question.mappings) {
      const MappingRule* const rule = mapping.rule(kind, order, question.scope);
      const bool is_new = rule != nullptr && std::ranges::none_of(result, [&](const OperationChoice& known) {
                            return known.order == order && known.code == rule->code;
                          });
      if (is_new) result.push_back({order, rule->code});
    }
  return result;
}

SmallOutcomes outcomes_of(const ObservedProgram& program, const cat::Model& model,
                          const MappingQuestion& question) {
  Question asked;
  asked.locations = program.observed;
  const Answer answer = decide_with(question.engine, program.program, asked, model, question.options());
  SmallOutcomes result;
  if (!answer.states_complete) {
    result.reason = answer.reason.empty() ? "states incomplete" : answer.reason;
    return result;
  }
  std::vector<std::size_t> places;
  for (const FinalTerm& term : program.observed)
    places.push_back(static_cast<std::size_t>(std::ranges::find(answer.shown, term) - answer.shown.begin()));
  for (const FinalState& state : answer.states) {
    result.values.emplace_back();
    for (const std::size_t place : places) result.values.back().push_back(state.values[place]);
  }
  std::ranges::sort(result.values);
  return result;
}

ShapeAnswer check_shape(const ProgramShape& shape, const MappingQuestion& question, SmallPrograms& programs) {
  return ShapeSearch(shape, question, programs).answer();
}

}  // namespace ptxmc
