#include "src/kernel/unfolding/launch_by_threads.hpp"

#include <algorithm>

#include "solver/limits/time_limit.hpp"
#include "solver/threads/thread_proofs.hpp"
#include "src/kernel/unfolding/unfolded_thread.hpp"

namespace ptxmc::kernel {

namespace {

/// The time for a method that is tried before others.
double share_of_time(const DecideOptions& options) {
  constexpr double part = 0.2, most_seconds = 10;
  return options.timeout_seconds > 0 ? std::min(part * options.timeout_seconds, most_seconds) : most_seconds;
}

}  // namespace

ByThreads check_by_threads(LoadedModule& module, const Launch& launch,
                           const std::vector<LaunchProperty>& properties, const cat::Model& model,
                           const DecideOptions& options) {
  ByThreads result;
  if (!can_stand_for_threads(model)) return result;
  try {
    const TimeLimit limit(share_of_time(options), options.interrupted);
    TermGraph graph;
    const auto unfolded = unfold_open_thread(module, launch, graph, options.bound);
    result.excluded = excluded_by_threads(unfolded->thread, properties, options, graph);
    if (!launch.final_condition.empty()) result.excluded.erase(LaunchProperty::assertion);
    result.assumed_zero = unfolded->assumed_zero;
    for (const Event& event : unfolded->thread.structure.events)
      if (!event.condition.is_false()) result.executed.push_back(event.instruction);
  } catch (const Unsupported&) {  // the other methods decide, or report what is unsupported
  } catch (const OutOfTime&) {
  }
  return result;
}

}  // namespace ptxmc::kernel
