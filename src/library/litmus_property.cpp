#include "src/library/litmus_property.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "solver/encoding/final_state.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/smt_engine/unfold_options.hpp"
#include "src/report/launch_findings.hpp"
#include "src/report/property_text.hpp"

namespace ptxmc {
namespace {

PropertyAnswer decide_race(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                           Engine engine) {
  PropertyAnswer result;
  const auto race = find_flag_with(engine, test.program, model, options, "data_race");
  if (!race)
    throw InputError(model.name, {}, "found no `flag … as data_race` in the model, expected one for races");
  result.answer.verdict = race->raised;
  result.answer.reason = race->reason;
  result.answer.witness = race->witness;
  result.answer.engine = race->engine;
  if (race->witness) {
    result.findings = race_sentences(*race->witness);
    for (const auto& [first, second] : races_of(*race->witness))
      result.highlighted.push_back({"race", first, second, false});
  }
  return result;
}

PropertyAnswer decide_hang(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                           const Progress& progress, Engine engine) {
  PropertyAnswer result;
  const Termination termination = decide_termination_with(engine, test.program, model, options, progress);
  result.answer.engine = termination.engine;
  result.answer.verdict = termination.hangs;
  result.answer.reason = termination.reason;
  result.answer.witness = termination.witness;
  result.findings = termination_sentences(termination);
  for (const EventId event : stuck_events(termination)) result.highlighted.push_back({"", event, event});
  return result;
}

/// Threads that trap or access memory out of bounds, and their positions: "P0 traps at line 3".
std::string early_ends(const LitmusTest& test, const cat::Model& model, const DecideOptions& options) {
  TermGraph graph;
  const EventStructure structure =
      unfold(test.program, graph, unfold_options(test.program, {}, model, options));
  std::string text;
  for (std::size_t thread = 0; thread < structure.endings.size(); ++thread)
    for (const Ending& ending : structure.endings[thread]) {
      const bool is_trap = ending.kind == Ending::Kind::trapped;
      if ((!is_trap && ending.kind != Ending::Kind::stray_access) || ending.condition.is_false()) continue;
      text += fmt::format("{}{} {} at line {}", text.empty() ? "" : ", ", test.program.threads[thread].name,
                          is_trap ? "traps" : "accesses memory outside of all variables", ending.where.line);
    }
  return text;
}

/// Handles a program without a final state. For exists and ~exists a note is added; a forall becomes unknown,
/// since it would be true of nothing.
void note_that_none_ends(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                         Engine engine, PropertyAnswer& result) {
  std::string why;
  try {
    Termination hang = decide_termination_with(engine, test.program, model, options, {});
    why = stuck_places(hang, test.program);
    result.answer.witness = std::move(hang.witness);
  } catch (const Unsupported&) {  // no execution ends, and the reason is not known
  }
  if (why.empty()) why = early_ends(test, model, options);
  const std::string sentence = "no execution ends" + (why.empty() ? "" : ": " + why);
  if (test.question.quantifier != Quantifier::forall) return result.answer.notes.push_back(sentence);
  result.answer.verdict = Verdict::unknown;
  result.answer.holds.reset();
  result.answer.reason = sentence;
}

/// Called if the condition was decided without a final state: checks whether there is any, ignoring the
/// filter.
void look_for_final_states(const LitmusTest& test, const cat::Model& model, DecideOptions options,
                           Engine engine, PropertyAnswer& result) {
  const bool knows_all = options.all_states && result.answer.states_complete;
  options.all_states = options.count_executions = false;
  const Question any;
  const Answer some = decide_with(engine, test.program, any, model, options);
  if (some.verdict == Verdict::forbidden) return note_that_none_ends(test, model, options, engine, result);
  if (some.reason == mixed_size_race_reason) return;  // an execution with the race ends
  if (some.verdict == Verdict::unknown) {
    result.answer.verdict = Verdict::unknown;
    result.answer.holds.reset();
    result.answer.reason = some.reason;
  } else if (knows_all) {
    result.answer.notes.emplace_back("no final state satisfies the filter");
  }
}

/// In C++ a data race is undefined behaviour, so that the condition says nothing.
void look_for_undefined_behaviour(const LitmusTest& test, const cat::Model& model,
                                  const DecideOptions& options, Engine engine, Answer& answer) {
  if (test.language != Language::cpp) return;
  const auto race = find_flag_with(engine, test.program, model, options, "data_race");
  if (!race || race->raised == Verdict::forbidden) return;
  if (race->raised == Verdict::unknown)
    answer.notes.push_back("it is unknown whether some execution has a data race: " + race->reason);
  else if (std::ranges::find(answer.flags, race->name) == answer.flags.end())
    answer.flags.push_back(race->name);
}

/// Completes an answer to the condition by what is to be known beside final states.
PropertyAnswer complete_condition(Answer found, const LitmusTest& test, const cat::Model& model,
                                  const DecideOptions& options, Engine engine) {
  PropertyAnswer result{std::move(found)};
  Answer& answer = result.answer;
  DecideOptions rest = options;
  rest.on_progress = {};
  if (options.timeout_seconds > 0)
    rest.timeout_seconds = std::max(options.timeout_seconds - answer.seconds, 0.001);
  look_for_undefined_behaviour(test, model, rest, engine, answer);
  if (answer.verdict == Verdict::forbidden && answer.states.empty())
    look_for_final_states(test, model, rest, engine, result);
  if (answer.verdict != Verdict::unknown || answer.reason != mixed_size_race_reason) return result;
  auto race = find_flag_with(engine, test.program, model, rest, mixed_size_race);
  if (!race || !race->witness) return result;
  // One race suffices to void the axioms.
  const auto [first, second] = races_of(*race->witness, mixed_size_race).front();
  const std::vector<Event>& events = race->witness->events;
  answer.notes = {mixed_size_race_sentence(*race->witness, events[first], events[second])};
  result.highlighted.push_back({"race", first, second, false});
  answer.witness = std::move(race->witness);
  return result;
}

PropertyAnswer decide_condition(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                                Engine engine) {
  return complete_condition(decide_with(engine, test.program, test.question, model, options), test, model,
                            options, engine);
}

/// The events of executions whose threads may end in any way.
EventStructure unfold_for_faults(const LitmusTest& test, const cat::Model& model,
                                 const DecideOptions& options, TermGraph& graph) {
  UnfoldOptions unfolding = unfold_options(test.program, {}, model, options);
  unfolding.may_wait_for_ever = true;
  unfolding.misuse_ends_thread = true;
  return unfold(test.program, graph, unfolding);
}

/// The executions with a fault.
LaunchAnswer find_fault(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                        LaunchProperty property, Engine engine, TermGraph& graph) {
  const EventStructure structure = unfold_for_faults(test, model, options, graph);
  LaunchQuestion question;
  question.structure = &structure;
  question.properties = {property};
  return check_with(engine, question, model, options, graph);
}

/// Decides a fault of launches.
PropertyAnswer decide_fault(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                            LaunchProperty property, Engine engine) {
  TermGraph graph;
  LaunchAnswer found = find_fault(test, model, options, property, engine, graph);
  PropertyAnswer result;
  result.answer.engine = found.engine;
  result.answer.verdict = Verdict::forbidden;
  if (!found.unknown.empty()) {
    result.answer.verdict = Verdict::unknown;
    result.answer.reason = found.unknown.begin()->second;
  }
  if (found.findings.empty()) return result;
  result.answer.verdict = Verdict::allowed;
  result.answer.reason.clear();
  for (const FindingText& text : finding_texts(found, {}, kernel::SourceLines(syntax::Module())))
    result.findings.push_back(fmt::format("line {}: {}", text.line, text.message));
  const LaunchFinding& first = found.findings.front();
  for (const EventId event : {first.site.event, first.other ? first.other->event : -1})
    if (event >= 0) result.highlighted.push_back({"", event, event});
  result.answer.witness = std::move(found.findings.front().witness);
  return result;
}

/// Completes an answer about a fault.
void finish_fault(Answer& answer, const Stopwatch& stopwatch) {
  if (answer.verdict != Verdict::unknown) answer.holds = answer.verdict == Verdict::forbidden;
  answer.states_complete = true;
  answer.seconds = stopwatch.seconds();
}

/// Whether an instruction can be part of a misuse (semantics/language/misuse.hpp): it is an operation on an
/// mbarrier or a barrier, but not `barrier.sync` with a constant number and no thread count.
bool can_be_misused(const Instruction& instruction) {
  const Form& form = *instruction.form;
  if (form.line->opcode == "mbarrier") return true;
  const bool waits_for_all = form.has(".sync") && !form.has(".warp") && instruction.operands.size() == 1 &&
                             std::holds_alternative<Operand::Immediate>(instruction.operands.front().is);
  return form.line->opcode.starts_with("bar") && !waits_for_all;
}

/// Whether some thread may use a barrier or an mbarrier in a way that the manual leaves undefined.
bool may_be_undefined(const LitmusTest& test, const cat::Model& model, const DecideOptions& options) {
  const auto& [threads, memory, arrivals] = test.program;
  const auto has_suspect = [](const Thread& thread) {
    return std::ranges::any_of(thread.code, can_be_misused);
  };
  if (std::ranges::none_of(threads, has_suspect) && std::ranges::none_of(memory, &Variable::is_mbarrier))
    return false;
  TermGraph graph;
  return may_be_undefined(unfold_for_faults(test, model, options, graph));
}

/// Makes an answer unknown if some execution uses a barrier or an mbarrier in a way that the manual leaves
/// undefined: nothing follows from the model for such a program.
void void_if_undefined(const LitmusTest& test, const cat::Model& model, DecideOptions options, Engine engine,
                       PropertyAnswer& result) {
  Answer& answer = result.answer;
  if (answer.verdict == Verdict::unknown || !may_be_undefined(test, model, options)) return;
  options.on_progress = {};
  if (options.timeout_seconds > 0)
    options.timeout_seconds = std::max(options.timeout_seconds - answer.seconds, 0.001);
  if (engine != Engine::smt) engine = Engine::automatic;  // this question is not the one that was asked
  const PropertyAnswer undefined = decide_fault(test, model, options, LaunchProperty::undefined, engine);
  if (undefined.answer.verdict == Verdict::forbidden) return;
  answer.verdict = Verdict::unknown;
  answer.holds.reset();
  answer.reason = undefined.answer.reason;
  if (undefined.answer.verdict == Verdict::unknown) return;
  answer.states_complete = false;
  answer.reason = undefined_use_reason;
  answer.notes = undefined.findings;
}

}  // namespace

PropertyAnswer decide_property(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                               LitmusProperty property, const Progress& progress, Engine engine) {
  const Stopwatch stopwatch;
  const auto fault = launch_property(property);
  if (fault) {
    PropertyAnswer result = decide_fault(test, model, options, *fault, engine);
    finish_fault(result.answer, stopwatch);
    return result;
  }
  PropertyAnswer result =
      property == LitmusProperty::condition ? decide_condition(test, model, options, engine)
      : property == LitmusProperty::race    ? decide_race(test, model, options, engine)
                                            : decide_hang(test, model, options, progress, engine);
  void_if_undefined(test, model, options, engine, result);
  if (property != LitmusProperty::condition) finish_fault(result.answer, stopwatch);
  return result;
}

PropertyAnswer decide_part(const LitmusTest& test, const cat::Model& model, const DecideOptions& options,
                           const TreePart& part) {
  PropertyAnswer result = complete_condition(decide_part(test.program, test.question, model, options, part),
                                             test, model, options, Engine::automatic);
  void_if_undefined(test, model, options, Engine::automatic, result);
  return result;
}

std::optional<std::vector<std::pair<SourcePosition, SourcePosition>>> racing_instructions(
    const LitmusTest& test, const cat::Model& model, const DecideOptions& options, Engine engine) {
  TermGraph graph;
  const LaunchAnswer found = find_fault(test, model, options, LaunchProperty::race, engine, graph);
  if (!found.unknown.empty()) return std::nullopt;
  std::vector<std::pair<SourcePosition, SourcePosition>> result;
  for (const LaunchFinding& finding : found.findings) {
    if (!finding.other) return std::nullopt;
    result.emplace_back(finding.site.where, finding.other->where);
  }
  return result;
}

PropertyAnswer unknown_answer(const LitmusTest& test, LitmusProperty property, const std::string& reason,
                              double seconds) {
  PropertyAnswer result;
  result.answer.reason = reason;
  result.answer.seconds = seconds;
  if (property == LitmusProperty::condition) result.answer.shown = shown_terms(test.question);
  return result;
}

std::string property_word(LitmusProperty property, Verdict verdict) {
  if (verdict == Verdict::unknown) return "unknown";
  const LitmusPropertyWords& words = words_of(property);
  return std::string(verdict == Verdict::allowed ? words.yes : words.no);
}

std::string property_text(const LitmusTest& test, LitmusProperty property, const PropertyAnswer& result) {
  std::string text = fmt::format("Test {} {}\n{}{}\n", test.name, words_of(property).title,
                                 property_word(property, result.answer.verdict),
                                 result.answer.reason.empty() ? "" : " (" + result.answer.reason + ")");
  for (const std::string& finding : result.findings) text += fmt::format("{}: {}\n", test.file, finding);
  return text + fmt::format("Time {} {:.2f}\n\n", test.name, result.answer.seconds);
}

}  // namespace ptxmc
