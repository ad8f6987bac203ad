#include "solver/launch_properties.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

#include "solver/divergence.hpp"
#include "solver/encoding.hpp"
#include "solver/final_memory.hpp"
#include "solver/flags.hpp"
#include "solver/witness.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;
using Result = SmtSolver::Result;

/// A way in which a property would be violated.
struct Suspect {
  Bits condition;  // width 1
  LaunchSite site;
  std::optional<LaunchSite> other;
  std::string message;
};

/// Findings at the same lines are one.
using Key = std::tuple<std::uint32_t, std::uint32_t, std::string>;

Key key_of(const Suspect& suspect) {
  const std::uint32_t first = suspect.site.where.line;
  const std::uint32_t second = suspect.other ? suspect.other->where.line : 0;
  return {std::min(first, second), std::max(first, second), suspect.message};
}

bool is_race_flag(const std::string& name) { return name.find("race") != std::string::npos; }

class LaunchDecision {
 public:
  LaunchDecision(const LaunchQuestion& question, const cat::Model& model, const DecideOptions& options,
                 TermGraph& graph)
      : question_(question),
        options_(options),
        graph_(graph),
        model_(with_flags(model,
                          [&](const std::string& name) {
                            return is_race_flag(name) &&
                                   (asks(LaunchProperty::race) || may_overlap_partially(*question.structure));
                          })),
        encoding_(*question.structure, model_, graph, Arrivals::by_warp),
        memory_(structure(), encoding_.algebra().atoms(), encoding_.coherence(), graph),
        solver_({options.timeout_seconds, options.memory_bytes, options.interrupted}),
        reader_(structure(), encoding_.algebra(), graph) {}

  LaunchAnswer run() {
    if (const auto beyond = encoding_.beyond_model()) {
      give_up(*beyond);
      return std::move(answer_);
    }
    const Bits wrong_end = final_violation();
    encoding_.assert_executions(solver_);
    for (const Bits& constraint : memory_.constraints()) solver_.add(constraint);
    solver_.add(question_.assumption);
    for (const auto& endings : structure().endings)
      for (const Ending& ending : endings) reader_.include(ending.condition);
    for (const auto& [name, value] : question_.inputs) reader_.include(value);
    for (const auto& [variable, element, value] : finals_) reader_.include(value);
    if (axioms_are_void()) return std::move(answer_);
    for (const LaunchProperty property : question_.properties)
      look_for(property, suspects(property, wrong_end));
    look_for_more();
    return std::move(answer_);
  }

 private:
  const EventStructure& structure() const { return encoding_.structure(); }
  const Event& event(EventId id) const { return structure().events[id]; }

  bool asks(LaunchProperty property) const {
    return std::find(question_.properties.begin(), question_.properties.end(), property) !=
           question_.properties.end();
  }

  void give_up(const std::string& reason) {
    for (const LaunchProperty property : question_.properties)
      if (std::none_of(answer_.findings.begin(), answer_.findings.end(),
                       [&](const LaunchFinding& finding) { return finding.property == property; }))
        answer_.unknown.emplace(property, reason);
  }

  // ---- what may be wrong ----

  static LaunchSite site_of(int thread, const SourcePosition& where) { return {thread, where, -1}; }

  LaunchSite site_of(EventId id) const {
    const Instruction* instruction = event(id).instruction;
    return {event(id).thread, instruction ? instruction->where : SourcePosition{}, id};
  }

  std::vector<Suspect> suspects(LaunchProperty property, const Bits& wrong_end) const {
    switch (property) {
      case LaunchProperty::assertion:
        return assertions(wrong_end);
      case LaunchProperty::race:
        return races("data_race");
      case LaunchProperty::uninitialized:
        return uninitialized_reads();
      case LaunchProperty::out_of_bounds:
        return out_of_bounds();
      case LaunchProperty::divergence:
        return divergent_barriers();
      case LaunchProperty::deadlock:
        return deadlocks();
    }
    return {};
  }

  std::vector<Suspect> endings(Kind kind) const {
    std::vector<Suspect> result;
    for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
      for (const Ending& ending : structure().endings[thread])
        if (ending.kind == kind)
          result.push_back(
              {ending.condition, site_of(static_cast<int>(thread), ending.where), {}, ending.message});
    return result;
  }

  std::vector<Suspect> violations(Violation::Kind kind) const {
    std::vector<Suspect> result;
    for (const Violation& violation : structure().violations)
      if (violation.kind == kind)
        result.push_back(
            {violation.condition, site_of(violation.thread, violation.where), {}, violation.message});
    return result;
  }

  std::vector<Suspect> assertions(const Bits& wrong_end) const {
    std::vector<Suspect> result = endings(Kind::trapped);
    result.push_back({wrong_end, {}, {}, {}});
    return result;
  }

  std::vector<Suspect> out_of_bounds() const {
    std::vector<Suspect> result = endings(Kind::stray_access);
    for (Suspect& suspect : violations(Violation::Kind::out_of_bounds)) result.push_back(std::move(suspect));
    return result;
  }

  /// The pairs of a relation of the model; one suspect for each two lines would do, but reports want threads.
  std::vector<Suspect> races(const char* name) const {
    std::vector<Suspect> result;
    const SymbolicRelation* relation = encoding_.outcome().relation(name);
    if (relation == nullptr) return races_of_flags();
    for (EventId first = 0; first < static_cast<EventId>(relation->rows.size()); ++first)
      for (const auto& [second, holds] : relation->rows[first])
        if (first < second) result.push_back({holds, site_of(first), site_of(second), {}});
    return result;
  }

  /// A model of the user's own may have other names.
  std::vector<Suspect> races_of_flags() const {
    std::vector<Suspect> result;
    for (std::size_t i = 0; i < model_.flags.size(); ++i)
      if (is_race_flag(model_.flags[i].name))
        result.push_back({encoding_.outcome().flags[i], {}, {}, model_.flags[i].name});
    return result;
  }

  bool has_unknown_content(const Event& initial) const {
    const std::uint64_t place = initial.location.to_u64();
    for (const Variable& variable : structure().program->memory)
      if (place - variable.location < variable.size())
        return variable.initial[(place - variable.location) / variable.element_size].width() == 0;
    return false;
  }

  std::vector<Suspect> uninitialized_reads() const {
    std::vector<Suspect> result;
    for (const auto& choice : encoding_.algebra().reads_from().choices)
      if (event(choice.write).kind == EventKind::initial_write && has_unknown_content(event(choice.write)))
        result.push_back({choice.chosen, site_of(choice.read), {}, {}});
    for (Suspect& suspect : violations(Violation::Kind::uninitialized)) result.push_back(std::move(suspect));
    return result;
  }

  std::vector<Suspect> divergent_barriers() const {
    std::vector<Suspect> result;
    for (const Divergence& divergence : divergences(structure()))
      result.push_back({divergence.elsewhere | divergence.without, site_of(divergence.barrier), {}, {}});
    return result;
  }

  /// After a divergence it is not said how threads go on, or not.
  std::vector<Suspect> deadlocks() const {
    Bits diverges = Bits::boolean(false);
    for (const Divergence& divergence : divergences(structure())) diverges = diverges | divergence.elsewhere;
    return {{is_stuck(encoding_) & ~diverges, {}, {}, {}}};
  }

  /// All threads have ended, and the final condition is false.
  Bits final_violation() {
    if (!question_.final_condition) return Bits::boolean(false);
    const Bits holds_at_end = question_.final_condition([&](int variable, std::size_t element) {
      const Variable& memory = structure().program->memory[static_cast<std::size_t>(variable)];
      Bits value = memory_.element(memory, element);
      if (value.width() == 0) value = graph_.variable(8 * memory.element_size, "unknown");
      finals_.emplace_back(variable, element, value);
      return value;
    });
    return encoding_.all_completed() & ~holds_at_end;
  }

  // ---- asking ----

  /// PTX ISA 8.7 § 8.7.2: the axioms say nothing of a program with a mixed-size data race.
  bool axioms_are_void() {
    if (!may_overlap_partially(structure())) return false;
    const std::size_t before = answer_.findings.size();
    look_for(LaunchProperty::race, races("mixed_size_data_race"));
    if (answer_.unknown.contains(LaunchProperty::race)) {
      give_up(answer_.unknown.at(LaunchProperty::race));
      return true;
    }
    if (answer_.findings.size() == before) return false;
    give_up(mixed_size_race);
    return true;
  }

  void look_for(LaunchProperty property, std::vector<Suspect> suspects) {
    constexpr std::size_t most = 12;
    const auto is_accepted = [&](const LaunchSite& site) {
      return question_.is_ignored && question_.is_ignored(property, site.where);
    };
    std::erase_if(suspects, [&](const Suspect& suspect) {
      return suspect.condition.is_false() || is_accepted(suspect.site) ||
             (suspect.other && is_accepted(*suspect.other));
    });
    for (const Suspect& suspect : suspects) reader_.include(suspect.condition);
    for (std::size_t found = 0; !suspects.empty() && found < most;) {
      Bits some = Bits::boolean(false);
      for (const Suspect& suspect : suspects) some = some | suspect.condition;
      const Result result = solver_.check({&some, 1});
      if (result == Result::unknown) answer_.unknown[property] = solver_.reason();
      if (result != Result::satisfiable) break;
      found += note_findings(property, suspects);
    }
  }

  /// Everything that the solver's last assignment shows; those suspects are dealt with.
  std::size_t note_findings(LaunchProperty property, std::vector<Suspect>& suspects) {
    auto [execution, values, numbers] = reader_.read(solver_);
    check_witness(model_, execution);
    execution.final_memory.resize(structure().program->memory.size());
    for (const auto& [variable, element, value] : finals_) {
      auto& elements = execution.final_memory[static_cast<std::size_t>(variable)];
      elements.resize(std::max(elements.size(), element + 1));
      elements[element] = values.apply(value);
    }
    std::set<Key> shown;
    for (const Suspect& suspect : suspects) {
      if (!values.apply(suspect.condition).is_true() || !shown.insert(key_of(suspect)).second) continue;
      LaunchFinding& finding = answer_.findings.emplace_back();
      finding.property = property;
      finding.site = renumbered(suspect.site, numbers);
      if (suspect.other) finding.other = renumbered(*suspect.other, numbers);
      if (property == LaunchProperty::divergence)
        finding.other = who_diverges(finding.site, execution, values);
      finding.message = suspect.message;
      if (property == LaunchProperty::deadlock) finding.stuck = stuck_threads(structure(), values);
      for (const auto& [name, value] : question_.inputs)
        finding.inputs.emplace_back(name, values.apply(value));
      finding.witness = execution;
    }
    if (shown.empty()) throw std::logic_error("the solver's assignment shows none of what it was asked for");
    std::erase_if(suspects, [&](const Suspect& suspect) { return shown.contains(key_of(suspect)); });
    return shown.size();
  }

  /// A thread of the warp that is not at the barrier with the others.
  std::optional<LaunchSite> who_diverges(const LaunchSite& site, const Execution& execution,
                                         Substitution& values) const {
    const auto& threads = structure().program->threads;
    std::vector<std::vector<EventId>> barriers(threads.size());
    for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id)
      if (is_aligned_barrier(execution.events[id])) barriers[execution.events[id].thread].push_back(id);
    const auto& own = barriers[site.thread];
    const auto n = static_cast<std::size_t>(std::find(own.begin(), own.end(), site.event) - own.begin());
    for (int thread = 0; thread < static_cast<int>(threads.size()); ++thread) {
      if (threads[thread].placement.warp != threads[site.thread].placement.warp) continue;
      if (barriers[thread].size() <= n) {
        if (values.apply(has_exited(structure(), thread)).is_true()) return LaunchSite{thread, {}, -1};
        continue;
      }
      const Event& other = execution.events[barriers[thread][n]];
      if (!are_one_instruction(other, execution.events[site.event]))
        return LaunchSite{thread, other.instruction->where, barriers[thread][n]};
    }
    return std::nullopt;
  }

  static LaunchSite renumbered(LaunchSite site, const std::vector<EventId>& numbers) {
    if (site.event >= 0) site.event = numbers[site.event];
    return site;
  }

  /// Whether some execution wants to go on where the unfolding ends.
  void look_for_more() {
    Bits more = Bits::boolean(false);
    for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
      more = more | encoding_.ends(thread, {Kind::bound_reached});
    switch (solver_.check({&more, 1})) {
      case Result::unsatisfiable:
        return;
      case Result::satisfiable:
        return give_up("loop bound " + std::to_string(options_.bound));
      case Result::unknown:
        return give_up(solver_.reason());
    }
  }

  const LaunchQuestion& question_;
  const DecideOptions& options_;
  TermGraph& graph_;
  const cat::Model model_;
  const Encoding encoding_;
  FinalMemory memory_;
  SmtSolver solver_;
  WitnessReader reader_;
  std::vector<std::tuple<int, std::size_t, Bits>> finals_;  // what the final condition speaks of
  LaunchAnswer answer_;
};

}  // namespace

const char* property_name(LaunchProperty property) {
  constexpr const char* names[] = {"assertion",     "race",       "uninitialized",
                                   "out-of-bounds", "divergence", "deadlock"};
  return names[static_cast<std::size_t>(property)];
}

std::vector<LaunchProperty> all_launch_properties() {
  using enum LaunchProperty;
  return {assertion, race, uninitialized, out_of_bounds, divergence, deadlock};
}

LaunchAnswer check_launch(const LaunchQuestion& question, const cat::Model& model,
                          const DecideOptions& options, TermGraph& graph) {
  const auto start = std::chrono::steady_clock::now();
  LaunchAnswer answer = LaunchDecision(question, model, options, graph).run();
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace ptxmc
