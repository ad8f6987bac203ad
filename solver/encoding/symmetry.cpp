#include "solver/encoding/symmetry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "solver/algebra/conjuncts.hpp"
#include "solver/encoding/final_state.hpp"

namespace ptxmc {
namespace {

bool same_operands(const std::vector<Operand>&, const std::vector<Operand>&);

struct SameOperand {
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
  bool operator()(const Operand::Register& a, const Operand::Register& b) const {
    return a.id == b.id && a.negated == b.negated;
  }
  bool operator()(const Operand::Immediate& a, const Operand::Immediate& b) const {
    return identical(a.value, b.value);
  }
  bool operator()(const Operand::Address& a, const Operand::Address& b) const {
    return a.base == b.base && identical(a.offset, b.offset);
  }
  bool operator()(const Operand::Label& a, const Operand::Label& b) const { return a.target == b.target; }
  bool operator()(const Operand::Vector& a, const Operand::Vector& b) const {
    return same_operands(a.elements, b.elements);
  }
  bool operator()(const Operand::Sink&, const Operand::Sink&) const { return true; }
};

bool same_operands(const std::vector<Operand>& a, const std::vector<Operand>& b) {
  return std::ranges::equal(
      a, b, [](const Operand& x, const Operand& y) { return std::visit(SameOperand{}, x.is, y.is); });
}

bool same_instruction(const Instruction& a, const Instruction& b) {
  const bool same_guard =
      a.guard.has_value() == b.guard.has_value() &&
      (!a.guard || (a.guard->predicate == b.guard->predicate && a.guard->negated == b.guard->negated));
  return a.form == b.form && same_guard && same_operands(a.operands, b.operands);
}

/// Whether both threads are in one CTA (cluster, GPU), or each is the only thread in its own.
bool symmetric_in(const Program& program, const Placement& a, const Placement& b, int Placement::*place) {
  if (a.*place == b.*place) return true;
  return std::ranges::count_if(program.threads, [&](const Thread& thread) {
           return thread.placement.*place == a.*place || thread.placement.*place == b.*place;
         }) == 2;
}

bool have_symmetric_places(const Program& program, const Placement& a, const Placement& b) {
  return a.grid == b.grid && symmetric_in(program, a, b, &Placement::warp) &&
         symmetric_in(program, a, b, &Placement::cta) && symmetric_in(program, a, b, &Placement::cluster) &&
         symmetric_in(program, a, b, &Placement::gpu);
}

/// The threads of a launch have no code of their own, and each computes with its own number.
bool have_equal_code(const Thread& a, const Thread& b) {
  return !a.code.empty() && std::ranges::equal(a.code, b.code, same_instruction) &&
         std::ranges::equal(a.initial_registers, b.initial_registers,
                            [](const Bits& x, const Bits& y) { return identical(x, y); });
}

/// The events of each thread of the group, in the same order.
std::vector<std::vector<EventId>> events_of(const EventStructure& structure,
                                            const std::vector<std::size_t>& group) {
  std::vector<std::vector<EventId>> events;
  for (const std::size_t thread : group) {
    auto& own = events.emplace_back();
    for (EventId event = 0; event < static_cast<EventId>(structure.events.size()); ++event)
      if (structure.events[event].thread == static_cast<int>(thread)) own.push_back(event);
  }
  return events;
}

/// Whether the event happens in every execution in which its thread completes.
bool happens_if_completed(const EventStructure& structure, EventId id) {
  const Event& event = structure.events[static_cast<std::size_t>(id)];
  return std::ranges::all_of(
      structure.endings[static_cast<std::size_t>(event.thread)], [&](const Ending& ending) {
        return ending.kind != Ending::Kind::completed || certainly_implies(ending.condition, event.condition);
      });
}

/// That the chosen relation orients each pair of the events.
Bits orients_all(const SymbolicRelation& chosen, const std::vector<EventId>& events) {
  Bits result = Bits::boolean(true);
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      result = result & (chosen.at(events[i], events[j]) | chosen.at(events[j], events[i]));
  return result;
}

/// That the first chosen relation which can orient all pairs of the events orders them as they are given,
/// if it does orient all of them; nothing if no relation can.
std::optional<Bits> in_order_where_oriented(const SymbolicAlgebra& algebra,
                                            const std::vector<EventId>& events) {
  for (const auto& [name, chosen] : algebra.choices()) {
    const Bits all_are_oriented = orients_all(chosen, events);
    if (all_are_oriented.is_false()) continue;
    Bits is_in_order = Bits::boolean(true);
    for (std::size_t i = 1; i < events.size(); ++i)
      is_in_order = is_in_order & chosen.at(events[i - 1], events[i]);
    return ~all_are_oriented | is_in_order;
  }
  return std::nullopt;
}

int exchanged(int thread, int a, int b) { return thread == a ? b : thread == b ? a : thread; }

std::string text_of(const FinalTerm& term, int a, int b) {
  const bool is_register = term.kind == FinalTerm::Kind::thread_register;
  return fmt::format("{}:{}:{}:{}:{}:{}:{}", static_cast<int>(term.kind), term.constant,
                     is_register ? exchanged(term.thread, a, b) : 0, term.register_id, term.variable,
                     term.element, term.format ? static_cast<int>(*term.format) : -1);
}

/// A text that is equal only for propositions which say the same of every state, with thread `a` in the
/// place of `b` and the other way round. It does not depend on the order of operands.
std::string text_of(const Proposition& proposition, int a, int b) {
  std::vector<std::string> operands;
  if (proposition.kind == Proposition::Kind::compare)
    operands = {text_of(proposition.left, a, b), text_of(proposition.right, a, b)};
  for (const Proposition& operand : proposition.operands) operands.push_back(text_of(operand, a, b));
  using Comparison = Proposition::Comparison;
  const bool has_order = proposition.kind == Proposition::Kind::compare &&
                         proposition.comparison != Comparison::equal &&
                         proposition.comparison != Comparison::not_equal;
  if (!has_order) std::ranges::sort(operands);
  return fmt::format("({} {} {})", static_cast<int>(proposition.kind),
                     static_cast<int>(proposition.comparison), fmt::join(operands, " "));
}

void add_threads(const FinalTerm& term, std::set<int>& threads) {
  if (term.kind == FinalTerm::Kind::thread_register) threads.insert(term.thread);
}

/// The threads whose registers a proposition names.
void add_threads(const Proposition& proposition, std::set<int>& threads) {
  if (proposition.kind == Proposition::Kind::compare)
    for (const FinalTerm* term : {&proposition.left, &proposition.right}) add_threads(*term, threads);
  for (const Proposition& operand : proposition.operands) add_threads(operand, threads);
}

/// The propositions that are observed, divided at conjunctions or disjunctions: exchanging two threads only
/// changes the few parts that name them.
class ExchangedThreads {
 public:
  explicit ExchangedThreads(const ObservedState& observed) {
    for (const Proposition* proposition : observed.propositions)
      add(*proposition, proposition->kind, propositions_.emplace_back());
  }

  /// Whether the propositions say the same with each of the threads in the place of the other.
  bool leave_all_as_they_are(int a, int b) const {
    return std::ranges::all_of(propositions_, [&](const std::vector<Part>& parts) {
      std::vector<std::string> before, after;
      for (const auto& [proposition, text, threads] : parts) {
        if (!threads.contains(a) && !threads.contains(b)) continue;
        before.push_back(text);
        after.push_back(text_of(*proposition, a, b));
      }
      std::ranges::sort(before);
      std::ranges::sort(after);
      return before == after;
    });
  }

 private:
  struct Part {
    const Proposition* proposition;
    std::string text;
    std::set<int> threads;
  };

  static void add(const Proposition& proposition, Proposition::Kind kind, std::vector<Part>& parts) {
    const bool is_divided = kind == Proposition::Kind::conjunction || kind == Proposition::Kind::disjunction;
    if (is_divided && proposition.kind == kind) {
      for (const Proposition& operand : proposition.operands) add(operand, kind, parts);
      return;
    }
    Part& own = parts.emplace_back(Part{&proposition, text_of(proposition, 0, 0), {}});
    add_threads(proposition, own.threads);
  }

  std::vector<std::vector<Part>> propositions_;
};

}  // namespace

ObservedState observed_state(const Question& question, bool all_states) {
  if (all_states) return {.terms = shown_terms(question)};
  return {.propositions = {&question.condition, &question.filter}};
}

std::vector<std::vector<std::size_t>> interchangeable_threads(
    const Program& program, const ObservedState& observed,
    const std::function<bool(std::size_t, std::size_t)>& have_equal_places) {
  const ExchangedThreads exchanged(observed);
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    const bool is_seen = std::ranges::any_of(observed.terms, [&](const FinalTerm& term) {
      return term.kind == FinalTerm::Kind::thread_register && term.thread == static_cast<int>(thread);
    });
    if (is_seen) continue;
    // A thread that is interchangeable with the first of a group is interchangeable with all of them.
    const auto group = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& members) {
      const Thread &first = program.threads[members.front()], &other = program.threads[thread];
      return have_equal_code(first, other) &&
             exchanged.leave_all_as_they_are(static_cast<int>(members.front()), static_cast<int>(thread)) &&
             (have_symmetric_places(program, first.placement, other.placement) ||
              (have_equal_places && have_equal_places(members.front(), thread)));
    });
    if (group == groups.end())
      groups.push_back({thread});
    else
      group->push_back(thread);
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

Bits in_canonical_order(const EventStructure& structure, const SymbolicAlgebra& algebra,
                        const ObservedState& observed) {
  Bits result = Bits::boolean(true);
  for (const auto& group : interchangeable_threads(*structure.program, observed)) {
    const auto events = events_of(structure, group);
    for (std::size_t place = 0; place < events.front().size(); ++place) {
      std::vector<EventId> writes;
      for (const auto& own : events)
        if (place < own.size() && structure.events[own[place]].kind == EventKind::write)
          writes.push_back(own[place]);
      if (writes.size() != group.size()) continue;
      if (!std::ranges::all_of(writes, [&](EventId id) { return happens_if_completed(structure, id); }))
        continue;
      const auto in_order = in_order_where_oriented(algebra, writes);
      if (!in_order) continue;
      result = result & *in_order;
      break;
    }
  }
  return result;
}

}  // namespace ptxmc
