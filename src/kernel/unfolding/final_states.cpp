#include "src/kernel/unfolding/final_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/cat/embedded_models.hpp"
#include "model/program/state_condition.hpp"
#include "semantics/language/form.hpp"
#include "solver/launch/property_table.hpp"
#include "solver/limits/event_limit.hpp"
#include "solver/limits/memory_limit.hpp"
#include "solver/limits/stopwatch.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/unfolding/idle_updates.hpp"
#include "src/kernel/launch/condition.hpp"

namespace ptxmc::kernel {

namespace {

using Index = std::optional<std::uint64_t>;

/// `out[3]`: the name and the index.
std::pair<std::string, Index> split(const std::string& element, const LaunchPlace& named_by) {
  const std::size_t bracket = element.find('[');
  if (bracket == std::string::npos) return {element, {}};
  std::uint64_t index = 0;
  const char* const end = element.data() + element.size();
  const auto [rest, error] = std::from_chars(element.data() + bracket + 1, end, index);
  if (error != std::errc() || rest + 1 != end || *rest != ']')
    throw InputError(
        named_by.file, named_by.where,
        fmt::format("found `{}`, expected a name or a name with an index, as in `out[0]`", element));
  return {element.substr(0, bracket), index};
}

/// The elements of memory that states show.
class Shown {
 public:
  Shown(const Launch& launch, const UnfoldedLaunch& unfolded) : launch_(launch), unfolded_(unfolded) {}

  /// Adds an element, or all elements of a buffer.
  void add(const std::string& name, Index index, const LaunchPlace& named_by) {
    const std::size_t parameter = buffer_called(name, named_by);
    const auto count = std::get<BufferParameter>(launch_.parameters[parameter].is).count;
    if (index && *index >= count)
      throw InputError(named_by.file, named_by.where,
                       fmt::format("found `{}[{}]`, but `{}` has {} elements", name, *index, name, count));
    for (std::uint64_t i = index.value_or(0); i < (index ? *index + 1 : count); ++i) add(parameter, i);
  }

  /// The condition (width 1), with the value of an element from `value_of`. Adds the elements that it names.
  Bits condition(const std::string& text, const std::function<Bits(const FinalTerm&)>& value_of) {
    const NumberOf number = [&](const std::string& name, Index index) -> std::optional<Number> {
      const auto parameter = find(name);
      if (!parameter) return std::nullopt;
      if (!index) return scalar(*parameter);
      const auto* buffer = std::get_if<BufferParameter>(&launch_.parameters[*parameter].is);
      if (buffer == nullptr || *index >= buffer->count) return std::nullopt;
      const auto& constant = unfolded_.constants[*parameter];
      const unsigned width = buffer->element.type.width;
      const Bits value = constant.empty() ? value_of(terms_[add(*parameter, *index)]).resize_unsigned(width)
                                          : constant[*index];
      return value.width() == 0 ? std::nullopt : std::optional(number_of(buffer->element, value));
    };
    return condition_holds(text, number, {"--exists"});
  }

  const std::vector<FinalTerm>& terms() const { return terms_; }

 private:
  std::optional<std::size_t> find(const std::string& name) const {
    const auto own = std::ranges::find(launch_.parameters, name, &Parameter::name);
    if (own == launch_.parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(own - launch_.parameters.begin());
  }

  std::optional<Number> scalar(std::size_t parameter) const {
    const auto* own = std::get_if<ScalarParameter>(&launch_.parameters[parameter].is);
    if (own == nullptr) return std::nullopt;
    const auto* known = std::get_if<std::uint64_t>(&own->value);
    if (known == nullptr)
      throw Unsupported(fmt::format("`{}`, which the launch leaves open, in a condition on final states",
                                    launch_.parameters[parameter].name),
                        {});
    return number_of(own->element, Bits(own->element.type.width, *known));
  }

  std::size_t buffer_called(const std::string& name, const LaunchPlace& named_by) const {
    const auto parameter = find(name);
    if (parameter && unfolded_.buffers[*parameter] >= 0) return *parameter;
    std::string names;
    for (std::size_t i = 0; i < launch_.parameters.size(); ++i)
      if (unfolded_.buffers[i] >= 0) names += (names.empty() ? "" : ", ") + launch_.parameters[i].name;
    throw InputError(named_by.file, named_by.where,
                     fmt::format("found `{}`, expected a buffer or a global variable of the launch{}{}", name,
                                 names.empty() ? ", which has none" : ": ", names));
  }

  std::size_t add(std::size_t parameter, std::uint64_t element) {
    const FinalTerm term = {.kind = FinalTerm::Kind::memory,
                            .variable = unfolded_.buffers[parameter],
                            .element = static_cast<int>(element)};
    const auto known = std::ranges::find(terms_, term);
    if (known != terms_.end()) return static_cast<std::size_t>(known - terms_.begin());
    terms_.push_back(term);
    return terms_.size() - 1;
  }

  const Launch& launch_;
  const UnfoldedLaunch& unfolded_;
  std::vector<FinalTerm> terms_;
};

/// Evaluates the condition on each state.
void decide_condition(const std::string& condition, Shown& shown, Answer& answer) {
  bool any = false;
  for (FinalState& state : answer.states) {
    const Bits holds = shown.condition(condition, [&](const FinalTerm& term) {
      const auto place = std::ranges::find(answer.shown, term) - answer.shown.begin();
      return Bits(64, static_cast<std::uint64_t>(state.values[static_cast<std::size_t>(place)]));
    });
    state.matches = holds.is_true();
    if (state.matches && !any) answer.witness = state.witness;
    any = any || state.matches;
  }
  if (!any) answer.witness.reset();
  answer.verdict = any ? Verdict::allowed : answer.states_complete ? Verdict::forbidden : Verdict::unknown;
  answer.holds = answer.verdict == Verdict::unknown ? std::nullopt : std::optional(any);
}

/// Unfolds a launch so that no final state is lost: see idle_updates.hpp.
std::unique_ptr<UnfoldedLaunch> unfold_with_all_states(LaunchStates& result, const cat::Model& model,
                                                       const DecideOptions& options) {
  UnfoldOptions unfolding = launch_unfolding(options);
  unfolding.unchanged_is_idle = cat::is_embedded_ptx(model);
  auto unfolded = unfold_launch(*result.loaded, result.launch, *result.graph, unfolding);
  if (!unfolding.unchanged_is_idle || may_leave_out_idle_updates(unfolded->structure)) return unfolded;
  unfolding.unchanged_is_idle = false;
  return unfold_launch(*result.loaded, result.launch, *result.graph, unfolding);
}

/// Why the final states of a launch are open: the manual says nothing about a launch in which some execution
/// is undefined. Empty if no execution is.
std::optional<std::string> void_reason(const CandidateExecutions& candidates, bool allows_divergence,
                                       const cat::Model& model, const DecideOptions& options, Engine engine,
                                       TermGraph& graph) {
  const EventStructure& structure = *candidates.structure;
  LaunchQuestion question;
  static_cast<CandidateExecutions&>(question) = candidates;
  if (may_be_undefined(structure)) question.properties.push_back(LaunchProperty::undefined);
  if (!allows_divergence && has_visible_suspect(structure, LaunchProperty::divergence))
    question.properties.push_back(LaunchProperty::divergence);
  if (question.properties.empty()) return std::nullopt;
  const LaunchAnswer found =
      check_with(engine == Engine::smt ? Engine::smt : Engine::automatic, question, model, options, graph);
  if (!found.findings.empty()) return undefined_execution_reason;
  if (!found.unknown.empty()) return found.unknown.begin()->second;
  return std::nullopt;
}

void find_states(LaunchStates& result, const StatesQuestion& asked, const cat::Model& model,
                 const DecideOptions& options, Engine engine) {
  result.unfolded = unfold_with_all_states(result, model, options);
  if (!result.unfolded->requests.empty()) {
    const Instruction& instruction = *result.unfolded->requests.front().instruction;
    throw Unsupported(instruction.form->spelling + " in a question about final states", instruction.where);
  }
  Shown shown(result.launch, *result.unfolded);
  for (std::size_t i = 0; i < asked.shown.size(); ++i) {
    const LaunchPlace named_by = i < asked.shown_by.size() ? asked.shown_by[i] : LaunchPlace{"--states"};
    const auto [name, index] = split(asked.shown[i], named_by);
    shown.add(name, index, named_by);
  }
  const auto any_value = [](const FinalTerm&) { return Bits(64, 0); };
  if (!asked.exists.empty()) shown.condition(asked.exists, any_value);
  Question question;
  question.locations = shown.terms();
  if (asked.values) question.condition = all_equal(shown.terms(), *asked.values);
  const CandidateExecutions candidates = candidates_of(result.launch, *result.unfolded);
  SharedTime time(options, 2);
  if (auto reason =
          void_reason(candidates, asked.allows_divergence, model, time.next(), engine, *result.graph)) {
    result.answer.reason = *std::move(reason);
    return;
  }
  result.answer = decide_with(engine, candidates, question, model, time.next(), *result.graph);
  if (!asked.exists.empty()) decide_condition(asked.exists, shown, result.answer);
}

}  // namespace

LaunchStates final_states(const Launch& launch, const StatesQuestion& asked, const cat::Model& model,
                          const DecideOptions& options, Engine engine) {
  const Stopwatch stopwatch;
  LaunchStates result;
  static_cast<OpenedLaunch&>(result) = open_launch(launch);
  result.exists = asked.exists;
  try {
    const TimeLimit limit(options.timeout_seconds, options.interrupted);
    const MemoryLimit memory(options.memory_bytes);
    find_states(result, asked, model, options, engine);
  } catch (const OutOfTime& out) {
    result.answer.reason = out.what();
  } catch (const TooManyEvents& over) {
    result.answer.reason = over.what();
  }
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace ptxmc::kernel
