#include "solver/launch/launch_proofs.hpp"

#include <algorithm>
#include <map>

#include "solver/encoding/float_tables.hpp"
#include "solver/launch/launch_suspects.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/divergence.hpp"
#include "solver/meetings/ordered_accesses.hpp"
#include "solver/smt/smt_solver.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

class Prover {
 public:
  Prover(const LaunchQuestion& question, const EventStructure& structure, const BarrierSchedule& schedule,
         const DecideOptions& options, TermGraph& graph)
      : question_(question),
        structure_(structure),
        schedule_(schedule),
        order_(structure, schedule),
        accesses_(structure, order_),
        is_ordered_(!accesses_.first_unordered()),
        graph_(graph),
        solver_({TimeLimit::seconds_left(), options.memory_bytes, options.interrupted}) {
    solver_.add(question.assumption);
  }

  LaunchProofs run() {
    LaunchProofs result;
    // PTX ISA 8.7 § 8.7.2: the axioms do not apply to a program with a mixed-size data race.
    if (!is_ordered_ && may_overlap_partially(structure_)) return result;
    for (const LaunchProperty property : question_.properties)
      if (is_impossible(property)) result.impossible.insert(property);
    result.may_reach_bound = may_be(some_end({Kind::bound_reached}));
    return result;
  }

 private:
  bool is_impossible(LaunchProperty property) {
    switch (property) {
      case LaunchProperty::assertion:
        return !may_be(some_end({Kind::trapped})) && !is_hard_at_end() && !may_be(wrong_end());
      case LaunchProperty::race:
        return is_ordered_;
      case LaunchProperty::uninitialized:
        return !may_be(some_violation(Violation::Kind::uninitialized)) && !may_be(some_unwritten_read());
      case LaunchProperty::out_of_bounds:
        return !may_be(some_end({Kind::stray_access})) &&
               !may_be(some_violation(Violation::Kind::out_of_bounds));
      case LaunchProperty::divergence:
        return !may_be(some_divergence());
      case LaunchProperty::undefined:
        return !may_be(some_end({Kind::undefined})) && !is_some_phase_mixed();
      case LaunchProperty::deadlock:
        return !may_be(some_end({Kind::spinning, Kind::waiting}));
    }
    return false;
  }

  bool may_be(const Bits& condition) {
    if (condition.is_false()) return false;
    return solver_.check({&condition, 1}) != SmtSolver::Result::unsatisfiable;
  }

  Bits some_end(std::initializer_list<Kind> kinds) const {
    Bits some = Bits::boolean(false);
    for (const auto& endings : structure_.endings)
      for (const Ending& ending : endings)
        if (std::ranges::find(kinds, ending.kind) != kinds.end()) some = some | ending.condition;
    return some;
  }

  Bits some_violation(Violation::Kind kind) const {
    Bits some = Bits::boolean(false);
    for (const Violation& violation : structure_.violations)
      if (violation.kind == kind) some = some | violation.condition;
    return some;
  }

  Bits some_divergence() const {
    Bits some = Bits::boolean(false);
    for (const Divergence& divergence : divergences(structure_))
      some = some | divergence.elsewhere | divergence.without;
    return some;
  }

  bool is_some_phase_mixed() const {
    std::map<int, EventId> first;  // by phase
    for (EventId id = 0; id < static_cast<EventId>(schedule_.size()); ++id) {
      const int phase = schedule_[static_cast<std::size_t>(id)];
      if (phase >= 0 && are_mixed(structure_, first.emplace(phase, id).first->second, id)) return true;
    }
    return false;
  }

  /// The writes that leave no value.
  std::vector<const Event*> discards() const {
    std::vector<const Event*> result;
    for (const Event& event : structure_.events)
      if (event.access.is_indeterminate) result.push_back(&event);
    return result;
  }

  /// Whether some read may take a byte of unknown initial content that no write has initialized, or a
  /// discarded byte.
  Bits some_unwritten_read() const {
    const auto discards = this->discards();
    Bits some = Bits::boolean(false);
    for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
      const Event& read = structure_.events[static_cast<std::size_t>(id)];
      if (!read.is_read() || read.condition.is_false()) continue;
      const auto may_be_read = [&](const Event* discard) {
        return !read.location.is_constant() || discard->may_touch(read.location.to_u64(), read.size);
      };
      if (std::ranges::any_of(discards, may_be_read)) {
        some = some | read.condition;
        continue;
      }
      if (!read.location.is_constant()) {
        if (std::ranges::any_of(structure_.events, [&](const Event& initial) {
              return initial.kind == EventKind::initial_write && has_unknown_content(structure_, initial) &&
                     read.may_touch(initial.location.to_u64(), initial.size);
            }))
          some = some | read.condition;
        continue;
      }
      for (const EventId initial : accesses_.initial_writes(read))
        if (has_unknown_content(structure_, structure_.events[static_cast<std::size_t>(initial)]))
          some = some | (read.condition & ~accesses_.is_written_before(id));
    }
    return some;
  }

  /// Whether the final condition needs hard arithmetic on results of reads that may race; races are then
  /// checked first.
  bool is_hard_at_end() const {
    return question_.final_condition && !is_ordered_ && has_floating_point(structure_);
  }

  /// The condition that all threads have ended and the final condition is false.
  Bits wrong_end() const {
    if (!question_.final_condition) return Bits::boolean(false);
    Substitution same;
    const Bits holds = question_.final_condition([&](int variable, std::size_t element) {
      const Variable& memory = structure_.program->memory[static_cast<std::size_t>(variable)];
      Event place;
      place.location = Bits(64, memory.location + element * memory.element_size);
      place.size = memory.element_size;
      const auto writes = accesses_.all_writes(place.location.to_u64(), place.size);
      const auto value = writes ? accesses_.value_after(*writes, place, same) : std::nullopt;
      if (value) return *value;
      const Bits& initial = memory.initial[element];
      const bool is_untouched = writes && writes->empty() && initial.width() != 0;
      return is_untouched ? initial : graph_.variable(8 * memory.element_size, "unknown");
    });
    Bits all = Bits::boolean(true);
    for (const auto& endings : structure_.endings) {
      Bits completed = Bits::boolean(false);
      for (const Ending& ending : endings)
        if (ending.kind == Kind::completed) completed = completed | ending.condition;
      all = all & completed;
    }
    return all & ~holds;
  }

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  const BarrierOrder order_;
  const OrderedAccesses accesses_;
  const bool is_ordered_;
  TermGraph& graph_;
  SmtSolver solver_;
};

}  // namespace

LaunchProofs prove(const LaunchQuestion& question, const EventStructure& structure,
                   const BarrierSchedule& schedule, const DecideOptions& options, TermGraph& graph) {
  return Prover(question, structure, schedule, options, graph).run();
}

}  // namespace ptxmc
