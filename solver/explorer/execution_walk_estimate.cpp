#include <algorithm>

#include "solver/algebra/bit_rows.hpp"
#include "solver/explorer/execution_walk.hpp"

// Estimates the size of the tree by random paths through it.

namespace ptxmc {

std::optional<SizeEstimate> ExecutionWalk::estimate(ExecutionObserver& observer, const StepLimit& limit) {
  constexpr int most_probes = 16, enough_alike = 3;
  std::mt19937_64 random(1);
  observer_ = &observer;
  budget_.set_limit(limit);
  course_ = {};
  SizeEstimate sum;
  int probes = 0;
  // If all executions seem to be equivalent, more probes would take longer than to visit the one.
  for (bool are_alike = true; probes < most_probes && !(are_alike && probes == enough_alike) && !must_stop();
       ++probes) {
    const SizeEstimate one = probe(random);
    sum.executions += one.executions;
    sum.inequivalent += one.inequivalent;
    are_alike = are_alike && one.inequivalent > 0 && one.inequivalent <= 1;
  }
  if (std::exchange(course_, {}).stopped) return std::nullopt;
  return SizeEstimate{sum.executions / probes, sum.inequivalent / probes};
}

/// The numbers of executions if all paths had as many branches as one random path.
SizeEstimate ExecutionWalk::probe(std::mt19937_64& random) {
  const std::size_t mark = execution_.mark();
  double ways = 1, equivalent = 1;
  for (Fork fork; ways > 0;) {
    if (must_stop() || !advance(fork) || !orient_updates_of_one_write() ||
        (fork.phases.empty() && fork.step.kind == Step::Kind::blocked)) {
      ways = 0;
    } else if (fork.phases.empty() && fork.step.kind == Step::Kind::complete) {
      if (alike_ != nullptr) equivalent = alike_->renaming.equivalent_executions(execution_);
      ways *= execution_.all_completed() ? probe_orders(random) : 0;
      break;
    } else {
      ways *= static_cast<double>(choose_at_random(fork, random));
    }
  }
  barriers_.refused.clear();
  execution_.undo_to(mark);
  return {ways, ways / equivalent};
}

/// Takes a random alternative. Returns the number of alternatives.
std::size_t ExecutionWalk::choose_at_random(const Fork& fork, std::mt19937_64& random) {
  if (!fork.phases.empty()) {
    const std::size_t choices = fork.phases.size() + 1, taken = random() % choices;
    if (taken + 1 < choices)
      CountedPhases::fill(execution_, fork.phases[taken]);
    else
      barriers_.refused.insert(fork.phases.begin(), fork.phases.end());
    return choices;
  }
  const Step& step = fork.step;
  std::vector<EventId> sources;
  for_each_event(step.options, [&](EventId write) { sources.push_back(write); });
  const std::size_t choices = sources.size() + (step.later ? 1 : 0), taken = random() % choices;
  if (taken < sources.size())
    execution_.choose_source(step.which, sources[taken]);
  else
    execution_.exclude(step.which, step.options | step.refused);
  return choices;
}

double ExecutionWalk::probe_orders(std::mt19937_64& random) {
  if (BitMatrix coherence; chosen_orders_.leave_coherence(coherence)) return 1;
  const auto& choices = execution_.model.inputs.choices;
  double ways = 1;
  for (std::size_t i = 0; i < choices.size(); ++i)
    for (std::size_t a = 0, b = 0; execution_.model.find_open_pair(i, a, b);) {
      const bool forward = can_orient(i, a, b), backward = can_orient(i, b, a);
      if (!forward && !backward) return 0;
      if (forward && backward) ways *= 2;
      const bool is_forward = forward && (!backward || random() % 2 == 0);
      execution_.model.orient(i, is_forward ? a : b, is_forward ? b : a);
      if (!execution_.model.may_become_consistent()) return 0;
    }
  return ways;
}

}  // namespace ptxmc
