#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "solver/threads/open_questions.hpp"

namespace ptxmc {

/// The suspects for the endings of one kind, and for the violations of one kind.
std::vector<OpenSuspect> ending_suspects(const OpenThread&, Ending::Kind, LaunchProperty);
std::vector<OpenSuspect> violation_suspects(const OpenThread&, Violation::Kind, LaunchProperty);

/// Asks whether suspects are possible, and collects candidates for those that are.
class OpenSuspects {
 public:
  /// Candidates are added to `candidates`, which must outlive it.
  OpenSuspects(OpenQuestions& questions, std::vector<OpenCandidate>& candidates)
      : questions_(questions), candidates_(candidates) {}

  /// Whether all suspects are false: for each pair of threads with this relation, or for each thread alone.
  /// Otherwise candidates are added.
  bool are_excluded(std::optional<Neighbours>, std::vector<OpenSuspect>);
  /// Whether there are as many candidates for the lines of a suspect as are wanted.
  bool has_enough_of(const OpenSuspect&) const;

 private:
  using Lines = std::tuple<LaunchProperty, std::uint32_t, std::uint32_t>;
  static Lines lines_of(const OpenSuspect& suspect);

  OpenQuestions& questions_;
  std::vector<OpenCandidate>& candidates_;
  std::map<Lines, unsigned> count_;  // of candidates
};

}  // namespace ptxmc
