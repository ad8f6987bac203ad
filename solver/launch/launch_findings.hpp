#pragma once

#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/encoding/witness.hpp"
#include "solver/launch/defined_part.hpp"
#include "solver/launch/final_content.hpp"
#include "solver/launch/launch_prefix.hpp"
#include "solver/launch/related_suspects.hpp"

namespace ptxmc {

/// One execution of a launch, with the findings that it shows before any trap.
class ShownExecution {
 public:
  /// The question and the structure must outlive it. An execution that the model does not accept is a
  /// std::logic_error.
  ShownExecution(const LaunchQuestion&, const EventStructure&, const cat::Model&, Witness,
                 std::span<const FinalContent>);
  /// An execution that is known to be accepted and to have no misuse of an mbarrier. It has no relations.
  static ShownExecution accepted(const LaunchQuestion&, const EventStructure&, Witness,
                                 std::span<const FinalContent>);

  /// Adds findings for the suspects whose condition holds and whose events all happen before any trap, one
  /// for each pair of lines. Returns these lines.
  std::set<SuspectLines> note(LaunchProperty, std::span<const Suspect>, std::vector<LaunchFinding>&);
  /// The pairs of a relation of the model as suspects; empty if the model has no relation of this name.
  std::vector<Suspect> pairs(const char* relation, PairSuspect) const;
  bool has_pairs(const char* relation) const;

 private:
  ShownExecution(const LaunchQuestion&, const EventStructure&, Witness);
  void set_finals(std::span<const FinalContent>);
  void find_traps();
  Prefix before_traps();
  std::vector<ExchangeOfThread> exchanges();
  bool is_kept(const LaunchSite&) const;
  bool is_shown(const Suspect&) const;
  DefinedPart defined_part();
  bool have_completed(const std::vector<int>& threads) const;
  EventId number_of(EventId) const;
  std::optional<LaunchFinding> finding(LaunchProperty, const Suspect&);

  const LaunchQuestion& question_;
  const EventStructure& structure_;
  Witness witness_;
  std::vector<std::optional<unsigned>> traps_;  // by thread: the step behind its trap
  Prefix prefix_;
};

}  // namespace ptxmc
