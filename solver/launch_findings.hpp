#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/launch_prefix.hpp"
#include "solver/launch_suspects.hpp"
#include "solver/witness.hpp"

namespace ptxmc {

/// An element of memory at the end of an execution.
struct FinalContent {
  int variable = 0;
  std::size_t element = 0;
  Bits value;  ///< a term
};

/// One execution of a launch, as far as nothing that traps comes before, and what it shows.
class ShownExecution {
 public:
  /// The question and the structure outlive it. An execution that the model does not accept is a
  /// std::logic_error.
  ShownExecution(const LaunchQuestion&, const EventStructure&, const cat::Model&, Witness,
                 std::span<const FinalContent>);

  /// Puts a finding for each two lines to the findings: of the suspects whose condition holds, and of which
  /// all that they speak of happens before anything traps. Their lines.
  std::set<SuspectLines> note(LaunchProperty, std::span<const Suspect>, std::vector<LaunchFinding>&);
  /// The pairs of a relation of the model; none where it has none of this name.
  std::vector<Suspect> pairs(const char* relation) const;

 private:
  void find_traps();
  Prefix before_traps() const;
  bool is_kept(const LaunchSite&) const;
  bool is_shown(const Suspect&) const;
  LaunchSite renumbered(LaunchSite) const;
  LaunchFinding finding(LaunchProperty, const Suspect&);

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  Witness witness_;
  std::vector<std::optional<unsigned>> traps_;  // by thread: its step
  Prefix prefix_;
};

}  // namespace ptxmc
