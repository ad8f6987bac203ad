#include "src/library/compared_side.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "model/program/state_condition.hpp"
#include "semantics/language/diagnostic.hpp"
#include "src/compiler/observables.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/library/litmus_property.hpp"
#include "src/report/launch_findings.hpp"

namespace ptxmc {
namespace {

/// `x` is the first element of a buffer.
std::string element_of(const std::string& name) {
  return name.find('[') == std::string::npos ? name + "[0]" : name;
}

/// The states of an answer by the observables, which are the shown terms with these indices.
ObservedOutcomes outcomes_in(const Answer& answer, const std::vector<std::size_t>& places,
                             const Program& program) {
  ObservedOutcomes result;
  result.is_complete = answer.states_complete;
  result.reason = answer.reason;
  for (const std::size_t place : places) result.widths.push_back(width_of(answer.shown[place], program));
  for (const FinalState& state : answer.states) {
    Outcome outcome;
    for (const std::size_t place : places) outcome.push_back(state.values[place]);
    result.values.push_back(std::move(outcome));
    result.executions.push_back(&state.witness);
  }
  if (!result.is_complete && result.reason.empty()) result.reason = "states incomplete";
  return result;
}

/// The indices of terms among those that an answer shows.
std::vector<std::size_t> places_of(const std::vector<FinalTerm>& terms, const std::vector<FinalTerm>& shown) {
  std::vector<std::size_t> result;
  for (const FinalTerm& term : terms)
    result.push_back(static_cast<std::size_t>(std::ranges::find(shown, term) - shown.begin()));
  return result;
}

/// An answer after which nothing is known, though states may be listed.
bool is_void(const Answer& answer) {
  return !answer.states_complete &&
         (answer.reason == mixed_size_race_reason || answer.reason == undefined_use_reason ||
          answer.reason == kernel::undefined_execution_reason);
}

/// A test with the question of a comparison, to whose program the executions of the answer point.
struct AskedTest {
  LitmusTest test;
  Answer answer;
};

ObservedOutcomes test_outcomes(const ComparedSide& side, const DecideOptions& options, Engine engine,
                               std::vector<std::shared_ptr<const AskedTest>>& kept) {
  const auto own = std::make_shared<AskedTest>();
  own->test = *side.test;
  LitmusTest& asked = own->test;
  const std::vector<FinalTerm> terms = observed_terms(side);
  const Proposition filter = asked.question.filter;
  asked.question = Question();
  asked.question.filter = filter;
  asked.question.locations = terms;
  own->answer = decide_property(asked, side.model, options, LitmusProperty::condition, {}, engine).answer;
  kept.push_back(own);
  const Answer& answer = own->answer;
  ObservedOutcomes result = outcomes_in(answer, places_of(terms, answer.shown), side.test->program);
  result.is_void = is_void(answer);
  return result;
}

Fact test_fact(const ComparedSide& side, const DecideOptions& options, Engine engine,
               LitmusProperty property) {
  const PropertyAnswer found = decide_property(*side.test, side.model, options, property, {}, engine);
  const Verdict verdict = found.answer.verdict;
  const bool has_finding = verdict == Verdict::allowed && !found.findings.empty();
  return {verdict, has_finding ? found.findings.front() : found.answer.reason};
}

/// The first fact that holds, or the first that is unknown.
Fact test_failure(const ComparedSide& side, const DecideOptions& options, Engine engine) {
  Fact result{Verdict::forbidden, {}};
  for (const LitmusProperty property : {LitmusProperty::assertion, LitmusProperty::out_of_bounds}) {
    const Fact fact = test_fact(side, options, engine, property);
    if (fact.holds == Verdict::allowed) return fact;
    if (fact.holds == Verdict::unknown) result = fact;
  }
  return result;
}

ComparedProgram program_of_test(const ComparedSide& side, const DecideOptions& options, Engine engine) {
  ComparedProgram result;
  auto kept = std::make_shared<std::vector<std::shared_ptr<const AskedTest>>>();
  result.outcomes = [&side, options, engine, kept](unsigned bound) {
    DecideOptions bounded = options;
    bounded.bound = bound;
    return test_outcomes(side, bounded, engine, *kept);
  };
  result.allows = [&side, options, engine](const Outcome& outcome) {
    DecideOptions one = options;
    one.all_states = false;
    return decide_with(engine, side.test->program, question_of(side, outcome), side.model, one).verdict;
  };
  const auto fact = [&side, options, engine](LitmusProperty property) {
    return [&side, options, engine, property] { return test_fact(side, options, engine, property); };
  };
  result.waits_for_ever = fact(LitmusProperty::termination);
  result.races = fact(LitmusProperty::race);
  result.fails = [&side, options, engine] { return test_failure(side, options, engine); };
  result.is_undefined_by_races = side.test->language == Language::cpp;
  return result;
}

/// Whether the launch violates one of these properties.
Fact launch_fact(const ComparedSide& side, const DecideOptions& options, Engine engine,
                 const std::vector<LaunchProperty>& properties) {
  const kernel::CheckedLaunch checked = kernel::check(*side.launch, properties, side.model, options, engine);
  if (!checked.answer.findings.empty()) {
    const auto texts = finding_texts(checked.answer, {}, kernel::SourceLines(*checked.module));
    return {Verdict::allowed, fmt::format("line {}: {}", texts.front().line, texts.front().message)};
  }
  if (const std::string reason = checked.unknown(); !reason.empty()) return {Verdict::unknown, reason};
  return {Verdict::forbidden, {}};
}

/// The question about the observed elements of a launch, and the place of each observable among them.
struct AskedElements {
  kernel::StatesQuestion question;
  std::vector<std::size_t> places;
};

AskedElements asked_elements(const ComparedSide& side) {
  AskedElements result;
  kernel::StatesQuestion& question = result.question;
  question.allows_divergence = true;
  for (std::size_t i = 0; i < side.names.size(); ++i) {
    const std::string element = element_of(side.names[i]);
    const auto known = std::ranges::find(question.shown, element);
    result.places.push_back(static_cast<std::size_t>(known - question.shown.begin()));
    if (known != question.shown.end()) continue;
    question.shown.push_back(element);
    question.shown_by.push_back(side.places[i]);
  }
  return result;
}

/// Whether the launch has this outcome. Two names of one element have one value.
Verdict launch_allows(const ComparedSide& side, const Outcome& outcome, DecideOptions options,
                      Engine engine) {
  auto [question, places] = asked_elements(side);
  std::vector<std::optional<std::int64_t>> values(question.shown.size());
  for (std::size_t i = 0; i < outcome.size(); ++i) {
    std::optional<std::int64_t>& value = values[places[i]];
    if (value && *value != outcome[i]) return Verdict::forbidden;
    value = outcome[i];
  }
  question.values.emplace();
  for (const auto& value : values) question.values->push_back(*value);
  options.all_states = false;
  return kernel::final_states(*side.launch, question, side.model, options, engine).answer.verdict;
}

ObservedOutcomes launch_outcomes(const ComparedSide& side, const DecideOptions& options, Engine engine) {
  const auto [question, places] = asked_elements(side);
  side.kept->push_back(kernel::final_states(*side.launch, question, side.model, options, engine));
  const kernel::LaunchStates& found = side.kept->back();
  ObservedOutcomes result;
  if (found.answer.shown.empty()) {
    result.reason = found.answer.reason;
    result.is_void = true;
  } else {
    result = outcomes_in(found.answer, places, found.unfolded->program);
    result.is_void = is_void(found.answer);
  }
  const Fact diverges = launch_fact(side, options, engine, {LaunchProperty::divergence});
  if (diverges.holds == Verdict::allowed)
    result.note = "compared as if its barriers were not aligned (PTX ISA 8.7 § 9.7.13.1): " + diverges.text;
  return result;
}

ComparedProgram program_of_launch(const ComparedSide& side, const DecideOptions& options, Engine engine) {
  ComparedProgram result;
  result.outcomes = [&side, options, engine](unsigned bound) {
    DecideOptions bounded = options;
    bounded.bound = bound;
    return launch_outcomes(side, bounded, engine);
  };
  result.allows = [&side, options, engine](const Outcome& outcome) {
    return launch_allows(side, outcome, options, engine);
  };
  const auto fact = [&side, options, engine](std::vector<LaunchProperty> properties) {
    return [&side, options, engine, properties] { return launch_fact(side, options, engine, properties); };
  };
  result.waits_for_ever = fact({LaunchProperty::deadlock});
  result.fails = fact({LaunchProperty::assertion, LaunchProperty::out_of_bounds});
  return result;
}

}  // namespace

namespace {

void add_observable(ComparedSide& source, ComparedSide& target, const Observable& observable,
                    const std::string& said_in) {
  source.names.push_back(observable.source);
  target.names.push_back(observable.target);
  for (ComparedSide* side : {&source, &target}) side->places.push_back({said_in, observable.where});
}

/// The names of a launch for its elements: `observe` of its file.
std::vector<Observable> named_elements(const ComparedSide& side) {
  const kernel::LaunchPlace& place = side.launch->observed_where;
  if (side.launch->observed.empty())
    throw InputError(
        side.file, {},
        "found a launch without `observe`, expected it or --observe with the elements of buffers to "
        "compare, as in `1:r0=out[3];x=x[0]`");
  return parse_observables(side.launch->observed, place.file, {place.where.line, place.where.column + 1});
}

/// The name on a side of what the other side calls `name`: in a test the same one. Empty if a launch has
/// none.
std::optional<std::string> name_in(const ComparedSide& side, const std::string& name) {
  if (side.test) return name;
  for (const Observable& own : named_elements(side))
    if (own.source == name) return own.target;
  return std::nullopt;
}

std::vector<std::string> observe_named(ComparedSide& source, ComparedSide& target) {
  const ComparedSide& naming = target.launch ? target : source;
  const std::string file = naming.launch->observed_where.file;
  std::vector<std::string> left_out;
  for (const Observable& named : named_elements(naming)) {
    const auto in_source = name_in(source, named.source), in_target = name_in(target, named.source);
    if (in_source && in_target)
      add_observable(source, target, {*in_source, *in_target, named.where}, file);
    else
      left_out.push_back("only in the target: " + named.source);
  }
  return left_out;
}

}  // namespace

std::vector<std::string> observe(ComparedSide& source, ComparedSide& target, const std::string& flag) {
  if (!flag.empty()) {
    for (const Observable& observable : parse_observables(flag))
      add_observable(source, target, observable, "--observe");
    return {};
  }
  if (source.launch || target.launch) return observe_named(source, target);
  SharedObservables shared = shared_observables(source.test->program, target.test->program, target.file);
  for (const Observable& observable : shared.observables)
    add_observable(source, target, observable, target.file);
  return std::move(shared.left_out);
}

std::vector<FinalTerm> observed_terms(const ComparedSide& side) {
  std::vector<FinalTerm> result;
  for (std::size_t i = 0; i < side.names.size(); ++i) {
    const std::string& name = side.names[i];
    const auto term = term_called(side.test->program, name);
    if (!term)
      throw InputError(side.places[i].file, side.places[i].where,
                       fmt::format("found `{}`, expected a register or a location of {}, such as `1:r0` or "
                                   "`x`",
                                   name, side.file));
    result.push_back(*term);
  }
  return result;
}

Question question_of(const ComparedSide& side, const Outcome& outcome) {
  const std::vector<FinalTerm> terms = observed_terms(side);
  Question question;
  question.filter = side.test->question.filter;
  question.condition = all_equal(terms, outcome);
  return question;
}

ComparedSide side_of_text(const std::string& text, const std::string& name, const cat::Model& model) {
  ComparedSide side;
  side.file = name;
  side.model = model;
  side.test = std::make_shared<const LitmusTest>(parse_litmus(text, name));
  return side;
}

ComparedProgram compared_program(const ComparedSide& side, const DecideOptions& options, Engine engine) {
  return side.test ? program_of_test(side, options, engine) : program_of_launch(side, options, engine);
}

}  // namespace ptxmc
