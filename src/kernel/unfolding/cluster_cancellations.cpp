#include "src/kernel/unfolding/cluster_cancellations.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "semantics/language/diagnostic.hpp"
#include "solver/unfolding/substitution.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::size_t most_cases = 1'000;

/// A cluster that may be cancelled.
struct LaunchedCluster {
  int number = 0, grid = 0;
  Dimensions first_cta = {};
};

std::vector<LaunchedCluster> clusters_of(const UnfoldedLaunch& launch) {
  std::map<int, LaunchedCluster> clusters;
  for (std::size_t thread = 0; thread < launch.program.threads.size(); ++thread) {
    const Placement& place = launch.program.threads[thread].placement;
    clusters.try_emplace(place.cluster,
                         LaunchedCluster{place.cluster, place.grid, launch.places[thread].cta});
  }
  std::vector<LaunchedCluster> result;
  for (const auto& [number, cluster] : clusters) result.push_back(cluster);
  return result;
}

class Cancellations {
 public:
  explicit Cancellations(const UnfoldedLaunch& launch)
      : launch_(launch),
        clusters_(clusters_of(launch)),
        cancelled_(launch.requests.size()),
        cancelled_by_(clusters_.size()) {}

  std::vector<EventStructure> cases() {
    decide(0);
    return std::move(cases_);
  }

 private:
  const Placement& place_of(const CancelRequest& request) const {
    return launch_.program.threads[static_cast<std::size_t>(response(request).thread)].placement;
  }

  const Event& response(const CancelRequest& request) const {
    return launch_.structure.events[static_cast<std::size_t>(request.response)];
  }

  std::size_t index_of(int cluster) const {
    return static_cast<std::size_t>(std::ranges::find(clusters_, cluster, &LaunchedCluster::number) -
                                    clusters_.begin());
  }

  /// Chooses what happens to the clusters from this one on.
  void decide(std::size_t cluster) {
    if (cluster == clusters_.size()) return add_case();
    decide(cluster + 1);  // it runs
    for (std::size_t i = 0; i < launch_.requests.size(); ++i) {
      const CancelRequest& request = launch_.requests[i];
      const Placement& place = place_of(request);
      if (cancelled_[i] || response(request).condition.is_false() || place.grid != clusters_[cluster].grid ||
          place.cluster == clusters_[cluster].number)
        continue;
      cancelled_[i] = cluster;
      cancelled_by_[cluster] = i;
      decide(cluster + 1);
      cancelled_[i].reset();
      cancelled_by_[cluster].reset();
    }
  }

  /// Whether each cluster with a successful request runs.
  bool is_possible() const {
    return std::ranges::all_of(cancelled_by_, [&](const std::optional<std::size_t>& request) {
      return !request || !cancelled_by_[index_of(place_of(launch_.requests[*request]).cluster)];
    });
  }

  void add_case() {
    if (!is_possible()) return;
    if (cases_.size() == most_cases)
      throw Unsupported("clusterlaunchcontrol.try_cancel with so many ways to cancel clusters", {});
    Substitution known;
    for (std::size_t i = 0; i < cancelled_.size(); ++i) {
      const CancelledCluster& outcome = launch_.requests[i].outcome;
      known.replace(outcome.succeeds, Bits::boolean(cancelled_[i].has_value()));
      const Dimensions cta = cancelled_[i] ? clusters_[*cancelled_[i]].first_cta : Dimensions{};
      for (std::size_t part = 0; part < cta.size(); ++part)
        known.replace(outcome.ctaid[part], Bits(32, cta[part]));
    }
    EventStructure& structure = cases_.emplace_back(launch_.structure);
    substitute(structure, known);
    for (std::size_t cluster = 0; cluster < clusters_.size(); ++cluster)
      if (cancelled_by_[cluster])
        cancel(clusters_[cluster], known.apply(response(launch_.requests[*cancelled_by_[cluster]]).condition),
               structure);
  }

  /// Removes what the threads of a cluster do under a condition.
  void cancel(const LaunchedCluster& cluster, const Bits& is_cancelled, EventStructure& structure) const {
    const auto is_of_cluster = [&](int thread) {
      return thread != Event::no_thread &&
             launch_.program.threads[static_cast<std::size_t>(thread)].placement.cluster == cluster.number;
    };
    for (Event& event : structure.events)
      if (is_of_cluster(event.thread)) event.condition = event.condition & ~is_cancelled;
    for (Violation& violation : structure.violations)
      if (is_of_cluster(violation.thread)) violation.condition = violation.condition & ~is_cancelled;
    for (std::size_t thread = 0; thread < structure.endings.size(); ++thread) {
      if (!is_of_cluster(static_cast<int>(thread))) continue;
      for (Ending& ending : structure.endings[thread]) ending.condition = ending.condition & ~is_cancelled;
      structure.endings[thread].push_back({Ending::Kind::completed, is_cancelled, 0, {}, {}});
    }
  }

  const UnfoldedLaunch& launch_;
  const std::vector<LaunchedCluster> clusters_;
  std::vector<std::optional<std::size_t>> cancelled_;     // by request: the cluster that it cancels
  std::vector<std::optional<std::size_t>> cancelled_by_;  // by cluster: the request
  std::vector<EventStructure> cases_;
};

}  // namespace

std::vector<EventStructure> cancellation_cases(const UnfoldedLaunch& launch) {
  return Cancellations(launch).cases();
}

}  // namespace ptxmc::kernel
