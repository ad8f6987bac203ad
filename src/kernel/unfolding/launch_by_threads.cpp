#include "src/kernel/unfolding/launch_by_threads.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "solver/launch/launch_properties.hpp"
#include "solver/limits/time_limit.hpp"
#include "solver/threads/thread_proofs.hpp"
#include "src/kernel/unfolding/unfolded_thread.hpp"

namespace ptxmc::kernel {

namespace {

/// The time for a method that is tried before others.
double share_of_time(const DecideOptions& options) {
  constexpr double part = 0.2, most_seconds = 20;
  return options.timeout_seconds > 0 ? std::min(part * options.timeout_seconds, most_seconds) : most_seconds;
}

/// The number of a thread in its CTA.
std::uint32_t number_of(const std::array<std::uint32_t, 3>& tid, const Dimensions& block) {
  return tid[0] + block[0] * (tid[1] + block[1] * tid[2]);
}

/// Whether threads of a warp wait for each other.
bool meets_in_warps(const OpenThread& thread) {
  return !thread.exchanges.empty() || std::ranges::any_of(thread.structure.events, [](const Event& event) {
    return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::warp;
  });
}

/// Adds the lanes with which a thread of the candidate is active together, if they are few.
void add_group(const CandidateThread& thread, std::uint32_t number, CtaPart& cta) {
  constexpr int most = 4;
  if (std::popcount(thread.lanes) > most) return;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    if ((thread.lanes >> lane & 1) != 0) cta.go_on.insert(number / lanes_per_warp * lanes_per_warp + lane);
}

/// The threads that an execution with the candidate needs, and those with which they meet.
LaunchPart part_of(const OpenCandidate& candidate, const OpenThread& thread, const Launch& launch) {
  LaunchPart result;
  result.contents = candidate.contents;
  result.scalars = candidate.inputs;
  const bool are_warps_whole = meets_in_warps(thread);
  const auto threads = static_cast<std::uint32_t>(volume(launch.block));
  for (const CandidateThread& one : candidate.threads) {
    auto cta = std::ranges::find(result.ctas, one.ctaid, &CtaPart::cta);
    if (cta == result.ctas.end()) {
      result.ctas.push_back({one.ctaid, 0, {}});
      cta = std::prev(result.ctas.end());
    }
    cta->barriers = std::max(cta->barriers, one.barriers);
    const std::uint32_t number = number_of(one.tid, launch.block);
    cta->go_on.insert(number);
    add_group(one, number, *cta);
    if (!are_warps_whole) continue;
    const std::uint32_t first = cta->barriers == 0 ? number / lanes_per_warp * lanes_per_warp : 0,
                        end = cta->barriers == 0 ? first + lanes_per_warp : threads;
    for (std::uint32_t lane = first; lane < std::min(end, threads); ++lane) cta->go_on.insert(lane);
  }
  return result;
}

/// All threads of the launch, each of which is active alone at each `activemask`: a counter becomes as large
/// as it can.
LaunchPart lanes_alone(const OpenCandidate& candidate, const OpenThread& thread) {
  LaunchPart result;
  result.contents = candidate.contents_for_all;
  result.scalars = candidate.inputs;
  std::array<std::uint32_t, 3> cta = {};
  for (cta[2] = 0; cta[2] < candidate.grid[2]; ++cta[2])
    for (cta[1] = 0; cta[1] < candidate.grid[1]; ++cta[1])
      for (cta[0] = 0; cta[0] < candidate.grid[0]; ++cta[0]) {
        CtaPart& part = result.ctas.emplace_back(CtaPart{cta, 0, {}, true});
        for (std::uint32_t number = 0; number < thread.threads_of_cta; ++number) part.go_on.insert(number);
      }
  return result;
}

/// Shows candidates by executions of the threads that they need.
class Showing {
 public:
  Showing(LoadedModule& module, const Launch& launch, const OpenThread& thread, const cat::Model& model,
          const DecideOptions& options, TermGraph& graph, ByThreads& result)
      : module_(module),
        launch_(launch),
        thread_(thread),
        model_(model),
        options_(options),
        graph_(graph),
        result_(result) {}

  /// Candidates that cannot be shown in the time are left out.
  void show(const std::vector<OpenCandidate>& candidates) {
    for (const OpenCandidate& candidate : candidates) {
      if (is_shown(candidate)) continue;
      constexpr double part = 0.3;
      const double left = TimeLimit::seconds_left();
      try {
        const TimeLimit limit(part * left, options_.interrupted);
        LaunchPart shown = part_of(candidate, thread_, launch_);
        if (show(candidate, shown)) continue;
        if (!candidate.contents_for_all.empty() && show(candidate, lanes_alone(candidate, thread_))) continue;
        shown.contents.clear();  // other threads have written them before
        show(candidate, shown);
      } catch (const Unsupported&) {  // another method may show it
      } catch (const OutOfTime&) {
      }
      TimeLimit::check();
    }
  }

 private:
  bool is_shown(const OpenCandidate& candidate) const {
    const auto lines = std::minmax(candidate.line, candidate.other_line);
    return std::ranges::any_of(result_.findings, [&](const LaunchFinding& finding) {
      const std::uint32_t line = finding.site.where.line,
                          other = finding.other ? finding.other->where.line : 0;
      return finding.property == candidate.property && std::minmax(line, other) == lines;
    });
  }

  bool show(const OpenCandidate& candidate, const LaunchPart& shown) {
    const bool are_groups_open = !thread_.groups.empty() && !shown.ctas.front().are_alone;
    UnfoldOptions unfolding = launch_unfolding(options_);
    unfolding.traps_go_on = !are_groups_open;
    auto part = unfold_part(module_, launch_, shown, graph_, unfolding);
    LaunchQuestion question;
    static_cast<CandidateExecutions&>(question) = candidates_of(launch_, *part);
    question.traps_go_on = unfolding.traps_go_on;
    question.properties = {candidate.property};
    question.is_ignored = ignored_findings(launch_);
    question.racing_lines = launch_.racing_lines;
    auto answer = are_groups_open ? check_launch(question, model_, options_, graph_)
                                  : check_launch_by_schedules(question, model_, options_, graph_);
    if (!answer || answer->findings.empty()) return false;
    for (LaunchFinding& finding : answer->findings) mark_inputs(finding, candidate);
    std::ranges::move(answer->findings, std::back_inserter(result_.findings));
    result_.parts.push_back(std::move(part));
    return true;
  }

  /// In the part, scalars are constants: whether they matter is known of the candidate.
  void mark_inputs(LaunchFinding& finding, const OpenCandidate& candidate) const {
    for (std::size_t i = 0; i < candidate.inputs.size(); ++i)
      for (Input& input : finding.inputs)
        if (candidate.inputs[i].width() != 0 && input.name == launch_.parameters[i].name)
          input.matters = candidate.input_matters[i];
  }

  LoadedModule& module_;
  const Launch& launch_;
  const OpenThread& thread_;
  const cat::Model& model_;
  const DecideOptions& options_;
  TermGraph& graph_;
  ByThreads& result_;
};

}  // namespace

bool ByThreads::decides(LaunchProperty property) const {
  return excluded.contains(property) ||
         std::ranges::find(findings, property, &LaunchFinding::property) != findings.end();
}

ByThreads check_by_threads(LoadedModule& module, const Launch& launch,
                           const std::vector<LaunchProperty>& properties, const cat::Model& model,
                           const DecideOptions& options, TermGraph& graph_of_findings) {
  ByThreads result;
  if (!can_stand_for_threads(model)) return result;
  TermGraph graph;
  std::unique_ptr<UnfoldedThread> unfolded;
  ThreadsAnswer answer;
  try {
    const TimeLimit limit(share_of_time(options), options.interrupted);
    unfolded = unfold_open_thread(module, launch, graph, options);
    decide_by_threads(unfolded->thread, properties, options, graph, answer);
  } catch (const Unsupported&) {  // the other methods decide, or report what is unsupported
  } catch (const OutOfTime&) {
  }
  if (!unfolded) return result;
  result.excluded = std::move(answer.excluded);
  if (!launch.final_condition.empty()) result.excluded.erase(LaunchProperty::assertion);
  result.assumed_zero = unfolded->assumed_zero;
  for (const Event& event : unfolded->thread.structure.events)
    if (!event.condition.is_false()) result.executed.push_back(event.instruction);
  try {
    const TimeLimit limit(share_of_time(options), options.interrupted);
    Showing(module, launch, unfolded->thread, model, options, graph_of_findings, result)
        .show(answer.candidates);
  } catch (const OutOfTime&) {
  }
  return result;
}

}  // namespace ptxmc::kernel
