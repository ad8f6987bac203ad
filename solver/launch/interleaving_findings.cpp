#include "solver/launch/interleaving_findings.hpp"

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "model/judge/concrete_relations.hpp"
#include "model/judge/initial_content_read.hpp"
#include "model/judge/interleaved_execution.hpp"
#include "model/judge/unordered_accesses.hpp"
#include "solver/launch/object_uses.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/launch/reads_without_value.hpp"
#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

/// The number of events up to which relations over all of them are computed at once if nothing else decides.
constexpr std::size_t most_events_at_once = 5'000;

/// The final values in the final condition; empty if not all threads end, or if a value is unknown.
struct End {
  std::vector<FinalContent> contents;
  bool is_wrong = false;
};

End end_of(const LaunchQuestion& question, const Interleaving& interleaving) {
  if (!interleaving.has_ended || !question.final_condition) return {};
  End end;
  bool is_known = true;
  const Bits holds = question.final_condition([&](int variable, std::size_t element) {
    Bits value = interleaving.final_memory[index(variable)][element];
    is_known = is_known && value.width() != 0 && value.is_constant();
    if (!is_known) return Bits(8 * question.structure->program->memory[index(variable)].element_size, 0);
    end.contents.push_back({variable, element, value});
    return value;
  });
  if (!is_known) return {};
  Substitution values = interleaving.witness.values;
  end.is_wrong = values.apply(holds).is_false();
  return end;
}

class Findings {
 public:
  Findings(const LaunchQuestion& question, const EventStructure& structure, const cat::Model& model,
           Interleaving interleaving)
      : question_(question),
        structure_(structure),
        model_(model),
        interleaving_(std::move(interleaving)),
        end_(end_of(question, interleaving_)) {}

  std::vector<LaunchFinding> all() {
    if (interleaving_.is_undefined) {
      if (size() <= most_events_at_once) judge_undefined_use();
    } else if (size() <= few_related_events) {
      judge_whole();
      if (has(LaunchProperty::race) && is_accepted() && !objects_may_be_misused()) {
        find_certain_races();
        find_reads_of_initial_content();
      }
    } else {
      find_in_large();
      if (findings_.empty() && is_open_ && size() <= most_events_at_once) judge_whole();
    }
    return std::move(findings_);
  }

 private:
  const Execution& execution() const { return interleaving_.witness.execution; }
  std::size_t size() const { return execution().events.size(); }

  // --- Suspects ---

  /// Those that follow from the whole interleaving without relations of the model.
  std::vector<Suspect> visible(LaunchProperty property) const {
    std::vector<Suspect> suspects = visible_suspects(structure_, property);
    if ((property == LaunchProperty::deadlock && interleaving_.is_stuck) ||
        (property == LaunchProperty::assertion && end_.is_wrong))
      suspects.push_back({Bits::boolean(true), {}, {}, {}, {}});
    if (property == LaunchProperty::uninitialized)
      for (Suspect& read : without_value(execution())) suspects.push_back(std::move(read));
    return suspects;
  }

  /// The reads without a value in an execution with the events of the interleaving.
  std::vector<Suspect> without_value(const Execution& execution) const {
    const std::vector<EventId> of_structure = numbers_in_structure();
    std::vector<SourceOfRead> sources;
    for (const ReadsFrom& source : execution.reads_from)
      sources.push_back({of_structure[index(source.read)],
                         of_structure[index(source.write)],
                         {source.first, source.count},
                         Bits::boolean(true)});
    Substitution values = interleaving_.witness.values;
    const KnownTerms known = {
        .location =
            [&](EventId id) {
              return execution.events[index(interleaving_.witness.numbers[index(id)])].location;
            },
        .value = [&](const Bits& condition) { return values.apply(condition); },
    };
    return reads_without_value(structure_, sources, known);
  }

  std::vector<EventId> numbers_in_structure() const {
    std::vector<EventId> result(size(), -1);
    const auto& numbers = interleaving_.witness.numbers;
    for (EventId id = 0; id < static_cast<EventId>(numbers.size()); ++id)
      if (numbers[index(id)] >= 0) result[index(numbers[index(id)])] = id;
    return result;
  }

  /// Notes the suspects that an execution shows. Those with found lines are left out.
  void note(LaunchProperty property, std::vector<Suspect> suspects, ShownExecution& shown) {
    std::erase_if(suspects, [&](const Suspect& suspect) {
      return is_ignored(question_, property, suspect) || found_.contains({property, lines_of(suspect)});
    });
    for (const SuspectLines& lines : shown.note(property, suspects, findings_))
      found_.emplace(property, lines);
  }

  void note_related(ShownExecution& shown) {
    for (const LaunchProperty property : question_.properties)
      if (const char* relation = relation_of(property, structure_))
        note(property, shown.pairs(relation, definition_of(property).of_pair), shown);
  }

  // --- Executions for the judge ---

  /// A part of the interleaving, with the choices of the model.
  Witness chosen(std::span<const EventId> events) const {
    Prefix prefix = up_to(execution(), events);
    std::vector<std::size_t> moments(prefix.execution.events.size());
    for (std::size_t i = 0; i < prefix.numbers.size(); ++i)
      if (prefix.numbers[i] >= 0) moments[index(prefix.numbers[i])] = interleaving_.moments[i];
    Witness witness{std::move(prefix.execution), interleaving_.witness.values, interleaving_.witness.numbers};
    for (EventId& number : witness.numbers)
      if (number >= 0) number = prefix.numbers[index(number)];
    orient_in_time(model_, witness.execution, moments);
    return witness;
  }

  void judge_whole() {
    TimeLimit::check();
    Witness witness = interleaving_.witness;
    orient_in_time(model_, witness.execution, interleaving_.moments);
    ShownExecution shown(question_, structure_, model_, std::move(witness), end_.contents);
    for (const LaunchProperty property : question_.properties) note(property, visible(property), shown);
    note_related(shown);
  }

  /// Judges an interleaving that ends at an undefined use. Its values may be those of events behind it, so
  /// that only its own events show findings, and the use with which a thread ends.
  void judge_undefined_use() {
    TimeLimit::check();
    Witness witness = interleaving_.witness;
    orient_in_time(model_, witness.execution, interleaving_.moments);
    ShownExecution shown(question_, structure_, model_, std::move(witness), {});
    note_related(shown);
    if (!asks(LaunchProperty::undefined)) return;
    std::vector<Suspect> uses = visible_suspects(structure_, LaunchProperty::undefined);
    std::erase_if(uses, [&](const Suspect& suspect) {
      return !execution().undefined_uses.contains(suspect.site.thread);
    });
    note(LaunchProperty::undefined, std::move(uses), shown);
  }

  /// Judges the part of the interleaving with a race, unless it is large. Returns whether it was judged.
  bool judge_part(const std::pair<EventId, EventId>& race) {
    TimeLimit::check();
    const EventId events[] = {race.first, race.second};
    if (!is_small(events)) return false;
    ShownExecution shown(question_, structure_, model_, chosen(events), {});
    note_related(shown);
    return true;
  }

  bool is_small(std::span<const EventId> events) const {
    return up_to(execution(), events).execution.events.size() <= few_related_events;
  }

  // --- Large interleavings ---

  void find_in_large() {
    if (!objects_may_be_misused() && is_accepted()) {
      find_certain_races();
      ShownExecution shown =
          ShownExecution::accepted(question_, structure_, interleaving_.witness, end_.contents);
      for (const LaunchProperty property : question_.properties) note(property, visible(property), shown);
      find_accesses_after_end(shown);
      find_races(&shown);
      find_reads_of_initial_content();
    } else {
      is_open_ = true;
      find_races(nullptr);
    }
    is_open_ = is_open_ || may_need_relation(LaunchProperty::out_of_bounds);
  }

  void find_accesses_after_end(ShownExecution& shown) {
    if (!interleaving_.has_ended || !may_need_relation(LaunchProperty::out_of_bounds)) return;
    const std::vector<EventId> of_structure = numbers_in_structure();
    std::vector<Suspect> suspects;
    for (const EventId id : accesses_after_end(execution(), interleaving_.moments)) {
      const EventId access = of_structure[index(id)];
      if (auto suspect = definition_of(LaunchProperty::out_of_bounds).of_pair(structure_, access, access))
        suspects.push_back(std::move(*suspect));
    }
    note(LaunchProperty::out_of_bounds, std::move(suspects), shown);
  }

  /// Models before PTX ISA 8.0 have no proxy fences.
  bool is_accepted() const {
    return cat::is_embedded_ptx(model_) && model_.find("proxy_preserved_base_causality_order") != nullptr &&
           is_interleaving(execution(), interleaving_.moments);
  }

  void find_certain_races() {
    certain_races_ = unordered_accesses(execution(), interleaving_.moments, Synchronization::possible);
  }

  bool may_need_relation(LaunchProperty property) const {
    return asks(property) && relation_of(property, structure_) != nullptr;
  }

  bool asks(LaunchProperty property) const {
    return std::ranges::find(question_.properties, property) != question_.properties.end();
  }

  /// Whether operations on mbarriers may be undefined uses. Those that the judge confirms are noted.
  bool objects_may_be_misused() {
    const ObjectUses uses = uses_of_objects(execution(), interleaving_.moments);
    bool result = uses.may_be_misused;
    for (const auto& [init, use] : uses.unordered) result = !is_proper(init, use) || result;
    return result;
  }

  bool is_proper(EventId init, EventId use) {
    const EventId events[] = {init, use};
    if (!is_small(events)) return false;
    ShownExecution shown(question_, structure_, model_, chosen(events), {});
    note_related(shown);
    return !shown.has_pairs(misuse_of_mbarrier);
  }

  /// Races in parts that the judge can confirm; and, if the whole interleaving is accepted, those that no
  /// synchronization can order.
  void find_races(ShownExecution* whole) {
    if (!asks(LaunchProperty::race)) return;
    const std::vector<EventId> of_structure = numbers_in_structure();
    for (const auto& race : certain_races_) {
      const EventId a = of_structure[index(race.first)], b = of_structure[index(race.second)];
      const auto suspect = unordered_pair(structure_, std::min(a, b), std::max(a, b));
      if (found_.contains({LaunchProperty::race, lines_of(*suspect)})) continue;
      if (!judge_part(race)) note(LaunchProperty::race, {*suspect}, *whole);
    }
    if (has(LaunchProperty::race)) return;
    constexpr std::size_t most_parts = 8;
    const auto likely = unordered_accesses(execution(), interleaving_.moments, Synchronization::scoped);
    for (std::size_t i = 0; i < likely.size() && i < most_parts && !has(LaunchProperty::race); ++i)
      judge_part(likely[i]);
    is_open_ = is_open_ || (!likely.empty() && !has(LaunchProperty::race));
  }

  /// The read of a race may take memory that no write has initialized.
  void find_reads_of_initial_content() {
    if (!asks(LaunchProperty::uninitialized) || has(LaunchProperty::uninitialized)) return;
    const std::vector<EventId> of_structure = numbers_in_structure();
    for (const auto& race : certain_races_) {
      auto other = reading_initial_content(execution(), interleaving_.moments, race);
      if (!other || !malformed_parts(*other).empty()) continue;
      const EventId read = of_structure[index(race.second)];
      std::vector<Suspect> wrong = without_value(*other);
      std::erase_if(wrong, [&](const Suspect& suspect) { return suspect.site.event != read; });
      if (wrong.empty()) continue;
      Witness witness{*std::move(other), interleaving_.witness.values, interleaving_.witness.numbers};
      ShownExecution shown = judged_if_small(std::move(witness));
      note(LaunchProperty::uninitialized, std::move(wrong), shown);
    }
  }

  ShownExecution judged_if_small(Witness witness) const {
    if (size() > few_related_events)
      return ShownExecution::accepted(question_, structure_, std::move(witness), {});
    orient_in_time(model_, witness.execution, interleaving_.moments);
    return {question_, structure_, model_, std::move(witness), {}};
  }

  bool has(LaunchProperty property) const {
    return std::ranges::any_of(findings_,
                               [&](const LaunchFinding& finding) { return finding.property == property; });
  }

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  const cat::Model& model_;
  const Interleaving interleaving_;
  const End end_;
  std::set<std::pair<LaunchProperty, SuspectLines>> found_;
  std::vector<LaunchFinding> findings_;
  std::vector<std::pair<EventId, EventId>> certain_races_;
  bool is_open_ = false;  // the interleaving may show more
};

}  // namespace

std::vector<LaunchFinding> findings_of(const LaunchQuestion& question, const EventStructure& structure,
                                       const cat::Model& model, Interleaving interleaving) {
  return Findings(question, structure, model, std::move(interleaving)).all();
}

}  // namespace ptxmc
