#include "src/report/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/report/excerpt.hpp"
#include "src/report/sarif_log.hpp"

namespace ptxmc {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The description of a property in the list of rules (§ 3.49).
struct Rule {
  LaunchProperty property;
  const char* name;
  const char* summary;
  const char* description;
};

constexpr Rule launch_rules[] = {
    {LaunchProperty::assertion, "AssertionFailure", "An assertion can fail.",
     "In some execution that the memory model allows, an assertion of the kernel or the launch's final "
     "condition is false, or a trap is reached."},
    {LaunchProperty::race, "DataRace", "Two accesses can be in a data race.",
     "Two accesses of different threads overlap, one of them writes, they are not ordered by causality, and "
     "they are not morally strong (PTX ISA 8.7, section 8.7.1). Order them by a release and an acquire of a "
     "scope "
     "that includes both threads, by a barrier, or make both strong."},
    {LaunchProperty::uninitialized, "UninitializedRead", "A read can return what nothing has written.",
     "Some execution reads memory whose content the launch leaves open. Initialize the buffer, or write it "
     "before."},
    {LaunchProperty::out_of_bounds, "OutOfBounds", "An access can leave its allocation.",
     "Some execution accesses memory outside of every allocation, misaligned, freed, or through the wrong "
     "state space."},
    {LaunchProperty::divergence, "BarrierDivergence", "Threads of a warp can be at different barriers.",
     "An aligned barrier is not executed by all threads of a warp together (PTX ISA 8.7, section 9.7.13.1)."},
    {LaunchProperty::undefined, "UndefinedUse",
     "A barrier, an mbarrier or an exchange can be used in an undefined way.",
     "A thread executes an exchange whose membermask does not name it, arrives twice at barrier.cluster or "
     "waits there without arriving, or a barrier mixes reductions with other arrivals (PTX ISA 8.7, sections "
     "9.7.9.6, 9.7.13)."},
    {LaunchProperty::deadlock, "ThreadsWaitForEver", "Threads can wait for ever.",
     "In some execution threads wait at a barrier that is never complete, or in a loop that never ends."},
};

std::string sentence(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

/// The log of one run.
class Log {
 public:
  explicit Log(fs::path folder) : places_(std::move(folder)) {}

  const SarifPlaces& places() const { return places_; }

  Json result(const FindingText& finding, const LaunchFindings& launch,
              const LaunchFindings::Trace& trace) const {
    const Json in_module = places_.location(launch.module, finding.line, finding.column);
    std::string text = finding.message;
    for (const std::string& more :
         {finding.hint, assumed_zero_note(finding.assumed_zero, how_to_say_content)})
      if (!more.empty()) text += "; " + more;
    Json result = {{"ruleId", property_name(finding.property)},
                   {"ruleIndex", rule_index(finding.property)},
                   {"level", "error"},
                   {"message", {{"text", sentence(text)}}},
                   {"locations", Json::array({in_module})}};
    if (finding.source) {
      result["locations"] = Json::array({source_location(*finding.source, launch.module)});
      Json& related = result["relatedLocations"] = Json::array();
      related.push_back(numbered(in_module, 0, "The instruction in the module."));
      for (const kernel::SourcePlace& inner : finding.source->inlined)
        related.push_back(numbered(source_location(inner, launch.module), related.size(),
                                   "In a function that is inlined here."));
    }
    if (!trace.steps.empty()) result["codeFlows"] = Json::array({code_flow(trace, launch.module)});
    return result;
  }

 private:
  /// § 3.28: a location with a number of its own in the result.
  static Json numbered(Json location, std::size_t id, const char* text) {
    location["id"] = id;
    location["message"] = {{"text", text}};
    return location;
  }

  static std::size_t rule_index(LaunchProperty property) {
    return static_cast<std::size_t>(std::ranges::find(launch_rules, property, &Rule::property) -
                                    std::begin(launch_rules));
  }

  /// The location of a source file. Compilers keep the name as given, which is often relative to the module's
  /// folder.
  Json source_location(const kernel::SourcePlace& source, const std::string& module) const {
    const fs::path beside = fs::path(module).parent_path() / source.file;
    std::error_code error;
    const bool is_beside =
        !fs::exists(places_.folder() / source.file, error) && fs::exists(places_.folder() / beside, error);
    return places_.location(is_beside ? beside.string() : source.file, source.line, source.column);
  }

  Json code_flow(const LaunchFindings::Trace& trace, const std::string& module) const {
    std::vector<TraceStep> steps;
    for (const LaunchFindings::Trace::Step& step : trace.steps) steps.push_back(step.step);
    return sarif_code_flow(steps, [&](std::size_t i) {
      const auto& [step, source] = trace.steps[i];
      return source ? source_location(*source, module) : places_.location(module, step.line);
    });
  }

  SarifPlaces places_;
};

Json rules_json() {
  Json list = Json::array();
  for (const Rule& rule : launch_rules)
    list.push_back(
        sarif_rule({property_name(rule.property), rule.name, rule.summary, rule.description, "error"}));
  return list;
}

}  // namespace

std::vector<LaunchFindings::Trace> traces_of(const LaunchAnswer& answer,
                                             const std::vector<FindingText>& findings,
                                             const kernel::SourceLines& sources) {
  constexpr std::size_t most_events = 500;
  std::vector<LaunchFindings::Trace> traces(findings.size());
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const LaunchFinding& finding = answer.findings[findings[i].number];
    if (finding.witness.events.size() > most_events) continue;
    const std::vector<bool> shown = events_that_explain(finding.witness, important_events(finding));
    for (TraceStep& step : trace_steps(finding.witness, shown))
      traces[i].steps.push_back({step, sources.of(step.line)});
  }
  return traces;
}

std::string sarif_log(std::span<const LaunchFindings> launches, const fs::path& folder) {
  const Log log(folder);
  Json results = Json::array();
  for (const LaunchFindings& launch : launches)
    for (std::size_t i = 0; i < launch.findings.size(); ++i)
      results.push_back(log.result(launch.findings[i], launch,
                                   i < launch.traces.size() ? launch.traces[i] : LaunchFindings::Trace{}));
  return sarif_text(log.places(), rules_json(), results);
}

}  // namespace ptxmc
