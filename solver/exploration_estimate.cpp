#include <algorithm>

#include "solver/bit_rows.hpp"
#include "solver/exploration.hpp"

// Estimates the size of the tree by random paths through it.

namespace ptxmc {

std::optional<double> Exploration::estimate(const StepLimit& limit) {
  constexpr int probes = 16;
  std::mt19937_64 random(1);
  limit_ = limit;
  course_ = {};
  double sum = 0;
  for (int i = 0; i < probes && !must_stop(); ++i) sum += probe(random);
  if (std::exchange(course_, {}).stopped) return std::nullopt;
  return sum / probes;
}

/// The number of executions if all paths had as many branches as one random path.
double Exploration::probe(std::mt19937_64& random) {
  const std::size_t mark = execution_.mark();
  double ways = 1;
  for (Step step; ways > 0;) {
    if (must_stop() || !execution_.settle() || !advance(step) || !orient_updates_of_one_write() ||
        step.kind == Step::Kind::blocked || step.kind == Step::Kind::impossible) {
      ways = 0;
    } else if (step.kind == Step::Kind::complete) {
      ways *= execution_.all_completed() ? probe_orders(random) : 0;
      break;
    } else {
      ways *= choose_at_random(step, random);
    }
  }
  execution_.undo_to(mark);
  return ways;
}

/// Takes a random alternative. Returns the number of alternatives.
std::uint32_t Exploration::choose_at_random(const Step& step, std::mt19937_64& random) {
  if (step.kind == Step::Kind::matching) {
    execution_.match(step.which, step.matchings[random() % step.matchings.size()]);
    return static_cast<std::uint32_t>(step.matchings.size());
  }
  std::vector<EventId> sources;
  for_each_member(step.options.words(), step.options.word_count(),
                  [&](std::size_t write) { sources.push_back(static_cast<EventId>(write)); });
  const std::size_t choices = sources.size() + (step.later ? 1 : 0);
  const std::size_t taken = random() % choices;
  if (taken < sources.size())
    execution_.choose_source(step.which, sources[taken]);
  else
    execution_.exclude(step.which, step.options | step.refused);
  return static_cast<std::uint32_t>(choices);
}

double Exploration::probe_orders(std::mt19937_64& random) {
  if (orientations_.leave_coherence(coherence_)) return 1;
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
