#include "solver/launch/launch_decision.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "solver/encoding/final_memory.hpp"
#include "solver/encoding/float_tables.hpp"
#include "solver/launch/chosen_inputs.hpp"
#include "solver/launch/launch_findings.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/launch/related_suspects.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/meetings/barrier_matching.hpp"
#include "solver/smt_engine/execution_search.hpp"
#include "solver/smt_engine/raised_flags.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;
using Result = ExecutionSearch::Result;

class LaunchDecision {
 public:
  /// With `has_defined_part` the encoding has the order of execution behind undefined uses.
  LaunchDecision(const LaunchQuestion& question, SettledCandidates candidates, const cat::Model& model,
                 const DecideOptions& options, TermGraph& graph, bool has_defined_part = false)
      : question_(question),
        given_model_(model),
        options_(options),
        graph_(graph),
        has_defined_part_(has_defined_part),
        model_(with_asked_flags(model, candidates.structure,
                                asks(LaunchProperty::race) || may_overlap_partially(candidates.structure))),
        candidates_(candidates),
        search_(
            std::move(candidates), model_, [](const std::string&) { return true; }, options, graph),
        memory_(structure(), search_.algebra().atoms(), search_.encoding().coherence(), graph) {}

  /// What is found in the time stays true: the properties that are not decided then are unknown.
  LaunchAnswer run() {
    try {
      decide();
    } catch (const OutOfTime& out) {
      give_up(out.what());
    }
    return std::move(answer_);
  }

  /// The properties that no execution violates, as far as this is shown in the time.
  std::set<LaunchProperty> excluded() {
    std::set<LaunchProperty> result;
    try {
      exclude(result);
    } catch (const OutOfTime&) {
    }
    return result;
  }

 private:
  void decide() {
    if (const auto beyond = search_.encoding().beyond_model()) {
      give_up(*beyond);
      return;
    }
    const Bits wrong_end = final_violation();
    require_executions();
    for (const auto& endings : structure().endings)
      for (const Ending& ending : endings) search_.include(ending.condition);
    for (const Input& input : question_.inputs) search_.include(input.value);
    for (const auto& [variable, element, value] : finals_) search_.include(value);
    if (axioms_are_void()) return;
    for (const LaunchProperty property : question_.properties) {
      look_for(property, open_suspects(property, wrong_end));
      if (stop_if_enough(answer_, question_)) return;
    }
    if (const auto reason = incomplete()) give_up(*reason);
    look_for_complete_executions();
  }

  void exclude(std::set<LaunchProperty>& result) {
    if (search_.encoding().beyond_model()) return;
    const Bits wrong_end = final_violation();
    require_executions();
    if (find(mixed_size_races()) != Result::unsatisfiable || incomplete()) return;
    // The final condition may contain hard arithmetic, and is asked last.
    std::vector<LaunchProperty> properties = question_.properties;
    std::stable_partition(properties.begin(), properties.end(), [&](LaunchProperty property) {
      return property != LaunchProperty::assertion || !question_.final_condition;
    });
    for (const LaunchProperty property : properties)
      if (find(open_suspects(property, wrong_end)) == Result::unsatisfiable) result.insert(property);
  }

  void require_executions() {
    search_.require_executions();
    for (const Bits& constraint : memory_.constraints()) search_.require(constraint);
  }

  const EventStructure& structure() const { return search_.structure(); }

  /// Race flags serve to find races, and mixed-size races, after which the axioms do not apply. Other flags
  /// are those of the relations on which asked properties depend.
  cat::Model with_asked_flags(const cat::Model& model, const EventStructure& structure,
                              bool are_races_asked_for) const {
    cat::Model result = with_flags(model, [&](const std::string& name) {
      if (name == misuse_of_mbarrier && has_mbarriers(structure)) return true;
      if (is_race_flag(name)) return are_races_asked_for;
      return std::ranges::any_of(question_.properties, [&](LaunchProperty property) {
        const char* relation = relation_of(property, structure);
        return relation != nullptr && name == relation;
      });
    });
    // Suspects need the complement of these relations, so their values must be exact.
    if (has_defined_part_)
      for (const char* name : {misuse_of_mbarrier, after_misuse})
        if (const cat::Definition* defined = result.find(name))
          for (const bool is_negated : {false, true})
            result.flags.push_back({cat::Test::Form::empty, is_negated, defined->node, name, {}});
    return result;
  }

  bool asks(LaunchProperty property) const {
    return std::find(question_.properties.begin(), question_.properties.end(), property) !=
           question_.properties.end();
  }

  void give_up(const std::string& reason) { ptxmc::give_up(answer_, question_, reason); }

  /// The condition that all threads have ended and the final condition is false.
  Bits final_violation() {
    if (!question_.final_condition) return Bits::boolean(false);
    const Bits holds_at_end = question_.final_condition([&](int variable, std::size_t element) {
      const Variable& memory = structure().program->memory[static_cast<std::size_t>(variable)];
      Bits value = memory_.element(memory, element);
      if (value.width() == 0) value = graph_.variable(8 * memory.element_size, "unknown");
      finals_.push_back({variable, element, value});
      return value;
    });
    return search_.encoding().all_completed() & ~holds_at_end;
  }

  // ---- queries ----

  /// PTX ISA 8.7 § 8.7.2: the axioms do not apply to a program with a mixed-size data race, even if the race
  /// is accepted.
  bool axioms_are_void() {
    const auto mixed = mixed_size_races();
    const Result result = find(mixed);
    if (result == Result::unsatisfiable) return false;
    if (result == Result::satisfiable && asks(LaunchProperty::race)) look_for(LaunchProperty::race, mixed);
    give_up(result == Result::satisfiable ? mixed_size_race_reason : search_.reason());
    return true;
  }

  std::vector<Suspect> mixed_size_races() const {
    if (!may_overlap_partially(structure())) return {};
    return related_suspects(search_.encoding(), mixed_size_race, unordered_pair);
  }

  /// The suspects of a property that may be violations and are not accepted.
  std::vector<Suspect> open_suspects(LaunchProperty property, const Bits& wrong_end) const {
    std::vector<Suspect> result = suspects(search_.encoding(), property, wrong_end);
    if (has_defined_part_) restrict_to_defined_part(search_.encoding(), property, result);
    std::erase_if(result, [&](const Suspect& suspect) {
      return suspect.condition.is_false() || is_ignored(question_, property, suspect);
    });
    return result;
  }

  void look_for(LaunchProperty property, std::vector<Suspect> suspects) {
    constexpr std::size_t most = 12;
    for (const Suspect& suspect : suspects) search_.include(suspect.condition);
    for (std::size_t found = 0; !suspects.empty() && found < most;) {
      const Result result = ask(suspects);
      if (result == Result::unknown) answer_.unknown[property] = search_.reason();
      if (result != Result::satisfiable) break;
      std::size_t noted = note_findings(property, suspects);
      if (noted == 0 && may_follow_undefined_use(property)) {
        if (ask_without_undefined_use(suspects) == Result::satisfiable)
          noted = note_findings(property, suspects);
        if (noted == 0) return look_before_undefined_uses(property);
      }
      if (noted == 0) {
        answer_.unknown[property] = "an assertion that fails before";
        break;
      }
      found += noted;
      if (!question_.all_findings) break;
    }
  }

  /// Whether the executions with the suspects of a property may only have them behind an undefined use.
  bool may_follow_undefined_use(LaunchProperty property) const {
    return property != LaunchProperty::undefined && !has_defined_part_ &&
           !some_undefined_use(search_.encoding()).is_false();
  }

  Result ask_without_undefined_use(const std::vector<Suspect>& suspects) {
    return find({some_of(suspects), ~some_undefined_use(search_.encoding())});
  }

  static Bits some_of(const std::vector<Suspect>& suspects) {
    Bits some = Bits::boolean(false);
    for (const Suspect& suspect : suspects) some = some | suspect.condition;
    return some;
  }

  /// Searches for an execution with one of the suspects.
  Result find(const std::vector<Suspect>& suspects) {
    return suspects.empty() ? Result::unsatisfiable : find({some_of(suspects)});
  }

  Result find(std::vector<Bits> conditions) {
    asked_ = std::move(conditions);
    return search_.find(asked_);
  }

  /// Whether no input is above a bound. Floating-point numbers have no bound.
  Bits has_inputs_up_to(std::uint64_t most) const {
    Bits result = Bits::boolean(true);
    for (const auto& [name, type, value, matters] : question_.inputs)
      if (value.width() != 0 && !type.is_float() && (value.width() >= 64 || most >> value.width() == 0))
        result = result & less_equal_unsigned(value, Bits(value.width(), most));
    return result;
  }

  /// The execution that the last search has found. If its inputs are large, and the launch is small, one with
  /// smaller inputs is looked for.
  Witness found() {
    constexpr std::size_t most_events = 500;
    Witness result = search_.found_candidate();
    if (structure().events.size() > most_events) return result;
    for (const std::uint64_t most : {16U, 256U, 4096U}) {
      const Bits is_small = has_inputs_up_to(most);
      if (result.values.apply(is_small).is_true()) return result;
      std::vector<Bits> conditions = asked_;
      conditions.push_back(is_small);
      const Result small = search_.find(conditions);
      if (small == Result::satisfiable) return search_.found_candidate();
      if (small == Result::unknown) return result;
    }
    return result;
  }

  /// Decides a property by the parts of executions before their undefined uses.
  void look_before_undefined_uses(LaunchProperty property) {
    LaunchQuestion question = question_;
    question.properties = {property};
    LaunchAnswer found = LaunchDecision(question, candidates_, given_model_, options_, graph_, true).run();
    std::erase_if(answer_.findings,
                  [&](const LaunchFinding& finding) { return finding.property == property; });
    std::ranges::move(found.findings, std::back_inserter(answer_.findings));
    for (auto& [open, reason] : found.unknown) answer_.unknown.emplace(open, std::move(reason));
  }

  /// Searches for an execution with one of the suspects. If threads continue after traps, executions without
  /// traps are tried first.
  Result ask(const std::vector<Suspect>& suspects) {
    const Bits some = some_of(suspects);
    if (question_.traps_go_on) {
      Bits traps = Bits::boolean(false);
      for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
        traps = traps | search_.encoding().ends(thread, {Kind::trapped});
      const Result result = find({some, ~traps});
      if (result != Result::unsatisfiable || traps.is_false()) return result;
    }
    return find({some});
  }

  /// Records all findings of the solver's last assignment, and removes their suspects.
  std::size_t note_findings(LaunchProperty property, std::vector<Suspect>& suspects) {
    ShownExecution execution(question_, structure(), model_, found(), finals_);
    const std::set<SuspectLines> shown = execution.note(property, suspects, answer_.findings);
    if (shown.empty() && !question_.traps_go_on && !may_follow_undefined_use(property))
      throw std::logic_error("the solver's assignment shows none of what it was asked for");
    std::erase_if(suspects, [&](const Suspect& suspect) { return shown.contains(lines_of(suspect)); });
    return shown.size();
  }

  /// Why some execution may need more iterations than the bound.
  std::optional<std::string> incomplete() {
    Bits more = Bits::boolean(false);
    for (std::size_t thread = 0; thread < structure().endings.size(); ++thread)
      more = more | search_.encoding().ends(thread, {Kind::bound_reached});
    return search_.incomplete({&more, 1});
  }

  /// Notes whether no execution is complete, which would show that the choice of the phases of barriers
  /// leaves executions out. Known phases need no such check: all of them have been enumerated.
  void look_for_complete_executions() {
    if (!answer_.findings.empty() || !answer_.unknown.empty() || has_defined_part_) return;
    if (candidates_.phases.is_in_order || !has_barriers(structure())) return;
    const Bits all_end = search_.encoding().all_completed();
    answer_.lacks_complete_executions = search_.find({&all_end, 1}) == Result::unsatisfiable &&
                                        choose_inputs(question_, options_, graph_).has_value();
  }

  const LaunchQuestion& question_;
  const cat::Model& given_model_;
  const DecideOptions& options_;
  TermGraph& graph_;
  const bool has_defined_part_;
  const cat::Model model_;  // with the flags that are needed
  const SettledCandidates candidates_;
  ExecutionSearch search_;
  FinalMemory memory_;
  std::vector<FinalContent> finals_;  // the elements in the final condition
  std::vector<Bits> asked_;           // the conditions of the last search
  LaunchAnswer answer_;
};

}  // namespace

LaunchAnswer decide_launch(const LaunchQuestion& question, const SettledCandidates& candidates,
                           const cat::Model& model, const DecideOptions& options, TermGraph& graph) {
  const auto decide = [&](const LaunchQuestion& asked) {
    return LaunchDecision(asked, candidates, model, options, graph).run();
  };
  const bool asks_at_end =
      std::ranges::find(question.properties, LaunchProperty::assertion) != question.properties.end();
  if (!question.final_condition || !asks_at_end || !has_floating_point(candidates.structure))
    return decide(question);
  LaunchQuestion without_end = question, at_end = question;
  without_end.final_condition = {};
  at_end.properties = {LaunchProperty::assertion};
  LaunchAnswer answer = decide(without_end);
  try {
    unite(answer, decide(at_end));
  } catch (const OutOfTime& out) {
    answer.unknown.emplace(LaunchProperty::assertion, out.what());
  }
  std::ranges::stable_sort(answer.findings, {}, &LaunchFinding::property);
  for (const LaunchFinding& finding : answer.findings) answer.unknown.erase(finding.property);
  return answer;
}

std::set<LaunchProperty> excluded_properties(const LaunchQuestion& question,
                                             const SettledCandidates& candidates, const cat::Model& model,
                                             const DecideOptions& options, TermGraph& graph) {
  return LaunchDecision(question, candidates, model, options, graph).excluded();
}

}  // namespace ptxmc
