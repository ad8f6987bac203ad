#include "src/library/launch_fences.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/limits/stopwatch.hpp"
#include "src/compiler/ptx_edits.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"
#include "src/report/launch_findings.hpp"

namespace ptxmc {
namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;

constexpr double first_run_seconds = 1;

/// The scopes that the launch tells apart. One CTA says nothing about what several need.
DistinctScopes scopes_of(const kernel::Launch& launch) {
  const std::uint64_t ctas = kernel::ctas_of(launch);
  DistinctScopes result;
  result.keeps_system = true;
  if (ctas == 1) {
    result.scopes = {Scope::gpu};
    return result;
  }
  result.scopes = {Scope::cta};
  const std::uint64_t together = launch.cluster ? kernel::volume(*launch.cluster) : 1;
  if (together > 1) result.scopes.push_back(Scope::cluster);
  if (together < ctas) result.scopes.push_back(Scope::gpu);
  return result;
}

/// The functions of the module, each as a thread.
Program functions_of(kernel::OpenedLaunch& opened) {
  Program program;
  for (const auto& statement : opened.module->statements) {
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function == nullptr || !function->body) continue;
    Thread thread;
    thread.name = function->name.text;
    thread.code = opened.loaded->load(*function, 0).lowered.code;
    program.threads.push_back(std::move(thread));
  }
  return program;
}

class KeptProperties {
 public:
  KeptProperties(const kernel::Launch& launch, const cat::Model& model, const DecideOptions& options,
                 Engine engine, const StrengthCosts& costs, WhatToTry tries)
      : launch_(launch), model_(model), options_(options), engine_(engine), costs_(costs), tries_(tries) {
    options_.on_progress = {};
    text_ = launch.module_text ? *launch.module_text : text_of_input(launch.module, "a PTX module");
    launch_.module_text = text_;
  }

  LaunchFences result() {
    LaunchFences result;
    const kernel::CheckedLaunch given = check({}, all_launch_properties());
    if (!given.unknown().empty()) {
      result.report.reason = given.unknown();
      return result;
    }
    find_executed(given);
    kernel::OpenedLaunch opened = kernel::open_launch(launch_);
    const Program functions = functions_of(opened);
    const bool holds = choose_properties(given, functions);
    if (holds && !lost_properties(given).empty()) return not_repairable(given);
    const auto points = possible(holds ? points_to_weaken(functions, costs_, scopes_of(launch_))
                                       : points_to_strengthen(functions, costs_, scopes_of(launch_)));
    result.report = searched(points, holds);
    result.report.property = kept_name();
    if (!holds) result.report.lost = lost_in(given, true);
    result.text = text_;
    return result;
  }

 private:
  /// The launch of the module with these edits. Lines of findings that are accepted move with them.
  kernel::Launch launch_with(const std::vector<LineEdit>& edits) const {
    kernel::Launch changed = launch_;
    changed.module_text = with_edits(text_, edits);
    for (kernel::IgnoredFinding& ignored : changed.ignored)
      if (ignored.line) ignored.line = moved_line(*ignored.line, edits);
    for (const std::uint32_t line : racing_lines_) changed.racing_lines.insert(moved_line(line, edits));
    return changed;
  }

  kernel::CheckedLaunch check(const std::vector<LineEdit>& edits,
                              const std::vector<LaunchProperty>& properties) {
    DecideOptions rest = options_;
    rest.timeout_seconds = stopwatch_.left_of(options_.timeout_seconds);
    return kernel::check(launch_with(edits), properties, model_, rest, engine_);
  }

  /// A few combinations may take long although the others decide everything: each gets little time first, and
  /// more while combinations are undecided. What is decided is decided once.
  FenceReport searched(const std::vector<StrengthPoint>& points, bool holds) {
    FenceSearchLimits limits;
    limits.reason_to_stop = [this] { return reason_to_stop(); };
    if (!holds) limits.easier = [&points](const Assignment& at) { return without_sc(points, at); };
    std::optional<FenceReport> best;
    for (run_seconds_ = first_run_seconds;; run_seconds_ *= 4) {
      undecided_ = 0;
      FenceReport report = report_fences(
          points, holds, [&](const Assignment& at) { return decide_once(points, at); }, limits);
      const bool is_last = report.is_complete || undecided_ == 0 || !reason_to_stop().empty() ||
                           options_.timeout_seconds <= 0 || run_seconds_ > options_.timeout_seconds;
      const auto is_cheaper = [](const FenceReport& a, const FenceReport& b) {
        return !a.costs.empty() && (b.costs.empty() || a.costs.front() < b.costs.front());
      };
      if (!best || report.is_complete || is_cheaper(report, *best)) best = std::move(report);
      if (is_last) break;
    }
    if (tries_ != WhatToTry::nothing)
      best->trials = try_answers(*best, tries_, [&](const Assignment& at) -> KeptAnswer {
        if (std::string reason = reason_to_stop(); !reason.empty()) return {Kept::unknown, reason, ""};
        return decide_once(points, at);
      });
    best->runs = runs_;
    return std::move(*best);
  }

  KeptAnswer decide_once(const std::vector<StrengthPoint>& points, const Assignment& at) {
    if (const auto known = decided_.find(at); known != decided_.end()) return known->second;
    ++runs_;
    const double all = options_.timeout_seconds;
    if (all > 0) options_.timeout_seconds = std::min(all, stopwatch_.seconds() + run_seconds_);
    KeptAnswer answer = decide(points, at);
    options_.timeout_seconds = all;
    if (answer.kept == Kept::unknown)
      ++undecided_;
    else
      decided_.emplace(at, answer);
    return answer;
  }

  /// What a program that violates a property needs cannot be said by properties that it keeps.
  LaunchFences not_repairable(const kernel::CheckedLaunch& given) {
    LaunchFences result;
    properties_ = all_launch_properties();
    result.report.property = kept_name();
    result.report.lost = lost_in(given, false);
    result.report.is_complete = true;
    return result;
  }

  void find_executed(const kernel::CheckedLaunch& given) {
    for (const Instruction* instruction : given.executed)
      executed_.insert({instruction->where.line, instruction->where.column});
    if (!given.unfolded) return;
    for (const Event& event : given.unfolded->structure.events)
      if (event.instruction != nullptr && !event.condition.is_false())
        executed_.insert({event.instruction->where.line, event.instruction->where.column});
  }

  /// The properties that the strongest annotations keep, or may keep. Returns whether the given program keeps
  /// them too.
  bool choose_properties(const kernel::CheckedLaunch& given, const Program& functions) {
    const std::set<LaunchProperty> violated = given.violated();
    properties_ = all_launch_properties();
    if (violated.empty()) return true;
    const auto points = possible(points_to_strengthen(functions, costs_, scopes_of(launch_)));
    const Assignment top = strongest(lattice_of(points));
    // Of a strongest program that takes long it stays open whether weaker ones repair it.
    const double all = options_.timeout_seconds;
    if (all > 0)
      options_.timeout_seconds = std::min(all, stopwatch_.seconds() + std::max(first_run_seconds, all / 8));
    const std::set<LaunchProperty> left = check(ptx_edits(text_, points, top), properties_).violated();
    options_.timeout_seconds = all;
    if (violated.contains(LaunchProperty::race) && left.contains(LaunchProperty::race)) find_racing_lines();
    std::erase_if(properties_, [&](LaunchProperty property) {
      return violated.contains(property) && left.contains(property) && !accepts(property);
    });
    return std::ranges::none_of(properties_, [&](LaunchProperty property) {
      return violated.contains(property) && !accepts(property);
    });
  }

  /// Finds lines such that every race of the given program is between two of them; none if that takes long.
  void find_racing_lines() {
    while (true) {
      const kernel::CheckedLaunch checked = check({}, {LaunchProperty::race});
      if (checked.unknown().empty() && checked.answer.findings.empty()) return;
      const std::size_t known = racing_lines_.size();
      for (const LaunchFinding& finding : checked.answer.findings) {
        racing_lines_.insert(finding.site.where.line);
        if (finding.other) racing_lines_.insert(finding.other->where.line);
      }
      if (!checked.unknown().empty() || racing_lines_.size() == known) return racing_lines_.clear();
    }
  }

  /// Whether violations of the property by the given program are accepted.
  bool accepts(LaunchProperty property) const {
    return property == LaunchProperty::race && !racing_lines_.empty();
  }

  /// The properties that the given program violates, without the races that are accepted.
  std::set<LaunchProperty> lost_properties(const kernel::CheckedLaunch& given) const {
    std::set<LaunchProperty> violated = given.violated();
    std::erase_if(violated, [&](LaunchProperty property) { return accepts(property); });
    return violated;
  }

  std::string kept_name() const {
    if (properties_ == all_launch_properties() && racing_lines_.empty()) return "safe";
    std::vector<std::string> names;
    for (const LaunchProperty property : properties_)
      names.push_back(ptxmc::property_name(property) + std::string(accepts(property) ? " elsewhere" : ""));
    return fmt::format("{}", fmt::join(names, "+"));
  }

  /// The points that the launch executes, with the levels that the module's version and target have.
  std::vector<StrengthPoint> possible(std::vector<StrengthPoint> points) {
    std::erase_if(points, [&](const StrengthPoint& point) {
      return !executed_.contains({point.where.line, point.where.column});
    });
    for (StrengthPoint& point : points) {
      const std::size_t given = point.given;
      std::vector<PointLevel> levels;
      std::size_t kept = 0;
      for (std::size_t level = 0; level < point.levels.size(); ++level) {
        if (level == given) kept = levels.size();
        if (level == given || can_be_read(point, level)) levels.push_back(point.levels[level]);
      }
      point.levels = std::move(levels);
      point.given = kept;
    }
    std::erase_if(points, [](const StrengthPoint& point) { return !has_bounds(point); });
    return points;
  }

  bool can_be_read(const StrengthPoint& point, std::size_t level) {
    try {
      kernel::read_module_of(launch_with(ptx_edits(text_, {point}, {static_cast<std::uint8_t>(level)})));
      return true;
    } catch (const InputError&) {
      return false;
    }
  }

  /// One violation suffices.
  KeptAnswer decide(const std::vector<StrengthPoint>& points, const Assignment& at) {
    options_.all_findings = false;
    try {
      const kernel::CheckedLaunch checked = check(ptx_edits(text_, points, at), properties_);
      if (!checked.answer.findings.empty()) return {Kept::no, "", lost_in(checked, false)};
      if (!checked.unknown().empty()) return {Kept::unknown, checked.unknown(), ""};
      return {Kept::yes, "", ""};
    } catch (const Unsupported& unsupported) {
      return {Kept::unknown, unsupported.what(), ""};
    }
  }

  /// The first violation of a property that is to be kept; of the given program `without_accepted` ones.
  std::string lost_in(const kernel::CheckedLaunch& checked, bool without_accepted) const {
    for (const FindingText& text :
         finding_texts(checked.answer, launch_.final_condition, kernel::SourceLines(*checked.module)))
      if (std::ranges::find(properties_, text.property) != properties_.end() &&
          !(without_accepted && accepts(text.property)))
        return text.line == 0 ? text.message : fmt::format("line {}: {}", text.line, text.message);
    return "";
  }

  std::string reason_to_stop() const {
    if (options_.interrupted && options_.interrupted->load()) return "interrupted";
    if (stopwatch_.has_passed(options_.timeout_seconds)) return "timeout";
    return "";
  }

  kernel::Launch launch_;
  const cat::Model& model_;
  DecideOptions options_;
  const Engine engine_;
  const StrengthCosts& costs_;
  const Stopwatch stopwatch_;
  const WhatToTry tries_;
  std::string text_;
  std::set<Place> executed_;
  std::set<std::uint32_t> racing_lines_;  ///< races between two of them are accepted
  std::vector<LaunchProperty> properties_;
  double run_seconds_ = 0;  ///< the limit of a single run
  std::map<Assignment, KeptAnswer> decided_;
  std::size_t undecided_ = 0;
  std::size_t runs_ = 0;
};

}  // namespace

LaunchFences fences_of(const kernel::Launch& launch, const cat::Model& model, const DecideOptions& options,
                       Engine engine, const StrengthCosts& costs, WhatToTry tries) {
  const Stopwatch stopwatch;
  LaunchFences result = KeptProperties(launch, model, options, engine, costs, tries).result();
  result.report.seconds = stopwatch.seconds();
  return result;
}

}  // namespace ptxmc
