#include "solver/launch/launch_findings.hpp"

#include <algorithm>

#include "solver/launch/decisive_inputs.hpp"
#include "solver/launch/property_table.hpp"

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

}  // namespace

ShownExecution::ShownExecution(const LaunchQuestion& question, const EventStructure& structure,
                               Witness witness)
    : question_(question), structure_(structure), witness_(std::move(witness)) {
  find_traps();
  prefix_ = before_traps();
}

ShownExecution::ShownExecution(const LaunchQuestion& question, const EventStructure& structure,
                               const cat::Model& model, Witness witness, std::span<const FinalContent> finals)
    : ShownExecution(question, structure, std::move(witness)) {
  check_witness(model, prefix_.execution);
  set_finals(finals);
}

ShownExecution ShownExecution::accepted(const LaunchQuestion& question, const EventStructure& structure,
                                        Witness witness, std::span<const FinalContent> finals) {
  ShownExecution result(question, structure, std::move(witness));
  result.set_finals(finals);
  return result;
}

void ShownExecution::set_finals(std::span<const FinalContent> finals) {
  std::vector<FinalContent> values(finals.begin(), finals.end());
  for (FinalContent& final : values) final.value = witness_.values.apply(final.value);
  set_final_memory(prefix_.execution, values);
}

/// Finds the first trap of each thread.
void ShownExecution::find_traps() {
  traps_.resize(structure_.endings.size());
  for (std::size_t thread = 0; thread < traps_.size(); ++thread)
    for (const Ending& ending : structure_.endings[thread])
      if (ending.kind == Kind::trapped && witness_.values.apply(ending.condition).is_true())
        traps_[thread] = std::min(traps_[thread].value_or(ending.first_step), ending.first_step);
}

Prefix ShownExecution::before_traps() {
  if (!question_.traps_go_on) return whole(witness_.execution);
  std::vector<bool> cut;
  for (const Event& event : witness_.execution.events) {
    const bool is_of_thread = event.thread != Event::no_thread;
    const auto trap = is_of_thread ? traps_[index(event.thread)] : std::nullopt;
    cut.push_back(trap && event.step >= *trap);
  }
  std::map<int, unsigned> stopped;
  for (std::size_t thread = 0; thread < traps_.size(); ++thread)
    if (traps_[thread]) stopped.emplace(static_cast<int>(thread), *traps_[thread]);
  if (stopped.empty()) return whole(witness_.execution);
  return before(witness_.execution, cut, stopped, exchanges());
}

/// The exchanges in the execution. A thread waits for another one also if it is not known that it does.
std::vector<ExchangeOfThread> ShownExecution::exchanges() {
  const auto may_be = [&](const Bits& condition) { return !witness_.values.apply(condition).is_false(); };
  std::vector<ExchangeOfThread> result;
  for (const WarpExchange& own : question_.exchanges) {
    if (!may_be(own.condition)) continue;
    ExchangeOfThread& exchange = result.emplace_back(ExchangeOfThread{own.thread, own.step, {}, {}});
    for (const auto& [number, when] : own.exchanges)
      if (const WarpExchange& other = question_.exchanges[number]; may_be(when))
        exchange.with.emplace_back(other.thread, other.step);
    for (const auto& [thread, when] : own.endings)
      if (may_be(when)) exchange.exited.push_back(static_cast<int>(thread));
  }
  return result;
}

/// The number of an event of the structure in the execution before its traps; -1 if it is not part of it.
EventId ShownExecution::number_of(EventId id) const {
  const EventId happened = witness_.numbers[index(id)];
  return happened < 0 ? -1 : prefix_.numbers[index(happened)];
}

bool ShownExecution::is_kept(const LaunchSite& site) const {
  return site.event >= 0 && number_of(site.event) >= 0;
}

/// Whether the events of the suspect happen before any trap.
bool ShownExecution::is_shown(const Suspect& suspect) const {
  if (!question_.traps_go_on) return true;
  if (suspect.other && !is_kept(*suspect.other)) return false;
  if (suspect.site.event >= 0) return is_kept(suspect.site);
  if (suspect.site.thread == Event::no_thread)
    return std::ranges::none_of(traps_, [](const auto& step) { return step.has_value(); });
  const auto end = prefix_.ends.find(suspect.site.thread);
  if (end != prefix_.ends.end() && (!suspect.step || *suspect.step >= end->second)) return false;
  const auto& events = witness_.execution.events;
  for (std::size_t i = 0; i < events.size(); ++i)
    if (events[i].thread == suspect.site.thread && (!suspect.step || events[i].step < *suspect.step) &&
        prefix_.numbers[i] < 0)
      return false;
  return true;
}

/// Empty if the execution before its traps does not show the misuse.
std::optional<LaunchFinding> ShownExecution::finding(LaunchProperty property, const Suspect& suspect) {
  auto result = finding_of(
      property, suspect, structure_, prefix_.execution, [&](EventId id) { return number_of(id); },
      [&](const Bits& condition) { return witness_.values.apply(condition).is_true(); });
  if (!result) {
    if (!question_.traps_go_on) throw std::logic_error("an execution does not show the misuse found in it");
    return std::nullopt;
  }
  result->inputs = question_.inputs;
  for (Input& input : result->inputs) input.value = witness_.values.apply(input.value);
  mark_decisive_inputs(*result, suspect, question_.inputs, structure_, witness_);
  return result;
}

std::vector<Suspect> ShownExecution::pairs(const char* relation, PairSuspect of_pair) const {
  if (!prefix_.execution.relations.contains(relation)) return {};
  std::vector<EventId> of_structure(prefix_.execution.events.size(), -1);
  for (EventId id = 0; id < static_cast<EventId>(witness_.numbers.size()); ++id)
    if (const EventId number = number_of(id); number >= 0) of_structure[index(number)] = id;
  std::vector<Suspect> result;
  for (const auto& [a, b] : prefix_.execution.relations.at(relation))
    if (auto suspect = of_pair(structure_, of_structure[index(a)], of_structure[index(b)]))
      if (have_completed(suspect->completed)) result.push_back(*std::move(suspect));
  return result;
}

bool ShownExecution::has_pairs(const char* relation) const {
  return !prefix_.execution.relations.pairs(relation).empty();
}

bool ShownExecution::have_completed(const std::vector<int>& threads) const {
  const auto& endings = prefix_.execution.endings;
  return std::ranges::all_of(
      threads, [&](int thread) { return !endings.empty() && endings[index(thread)] == Kind::completed; });
}

DefinedPart ShownExecution::defined_part() {
  const Execution& execution = prefix_.execution;
  UndefinedUses uses{.misuses = execution.relations.pairs(misuse_of_mbarrier),
                     .after = execution.relations.pairs(after_misuse),
                     .phases = execution.barrier_phase};
  for (const auto& endings : structure_.endings)
    for (const Ending& ending : endings)
      uses.has_end |= ending.kind == Kind::undefined && witness_.values.apply(ending.condition).is_true();
  return {*structure_.program, execution.events, uses};
}

std::set<SuspectLines> ShownExecution::note(LaunchProperty property, std::span<const Suspect> suspects,
                                            std::vector<LaunchFinding>& findings) {
  std::set<SuspectLines> shown;
  const DefinedPart defined = defined_part();
  const auto number = [&](EventId id) { return number_of(id); };
  for (const Suspect& suspect : suspects)
    if (witness_.values.apply(suspect.condition).is_true() && is_shown(suspect) &&
        defined.contains(property, suspect, number) && !shown.contains(lines_of(suspect)))
      if (auto found = finding(property, suspect)) {
        findings.push_back(*std::move(found));
        shown.insert(lines_of(suspect));
      }
  return shown;
}

}  // namespace ptxmc
