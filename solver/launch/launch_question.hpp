#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/smt_engine/termination.hpp"

namespace ptxmc {

/// What can go wrong in a kernel launch: docs/soundness.md.
enum class LaunchProperty : std::uint8_t {
  assertion,      ///< a thread traps, or the final condition is false when all have ended
  race,           ///< PTX ISA 8.7 § 8.7.1
  uninitialized,  ///< a read takes a byte that no write has initialized, or that was discarded
  out_of_bounds,  ///< an access beyond its allocation, or misaligned
  divergence,     ///< an aligned barrier that not all threads of a warp execute
  undefined,      ///< a use of a barrier or an exchange that semantics/language/misuse.hpp lists
  deadlock,       ///< under fair scheduling a thread never ends
};

/// The name in launch files: `race`, `out-of-bounds`, …
const char* property_name(LaunchProperty);
/// All properties, in the order in which they are decided.
std::vector<LaunchProperty> all_launch_properties();

/// A position in the code of a thread.
struct LaunchSite {
  int thread = Event::no_thread;
  SourcePosition where;
  EventId event = -1;  ///< in the witness; -1: no event
};

/// A violation of a property, and an execution that shows it. In this execution threads may end in any way,
/// or stop anywhere if the launch ends early.
struct LaunchFinding {
  LaunchProperty property = LaunchProperty::assertion;
  LaunchSite site;                  ///< no thread: the final condition
  std::optional<LaunchSite> other;  ///< race: the other access; divergence: the other thread
  std::string message;              ///< from the program: the failed assertion
  std::vector<StuckThread> stuck;   ///< deadlock
  Inputs inputs;                    ///< constant values with which it happens
  Execution witness;                ///< accepted by the judge
};

/// The value of an element of a variable of the program.
using ElementValue = std::function<Bits(int variable, std::size_t element)>;

/// A question about properties. The structure must be unfolded with UnfoldOptions::may_wait_for_ever.
struct LaunchQuestion : CandidateExecutions {
  /// The final condition over final memory, width 1; empty: none.
  std::function<Bits(const ElementValue&)> final_condition;
  std::vector<LaunchProperty> properties;  ///< the properties to decide
  /// The structure is unfolded with UnfoldOptions::traps_go_on: threads continue after a trap. Findings show
  /// nothing that is behind a trap, or behind an exchange that waits for a thread behind its trap.
  bool traps_go_on = false;
  /// Whether findings of a property at a position are accepted.
  std::function<bool(LaunchProperty, const SourcePosition&)> is_ignored;
  bool all_findings = true;  ///< DecideOptions::all_findings
  /// Races between two of these lines are accepted.
  std::set<std::uint32_t> racing_lines = {};
};

struct LaunchAnswer {
  std::vector<LaunchFinding> findings;            ///< by property, one for each pair of lines
  std::map<LaunchProperty, std::string> unknown;  ///< the undecided properties, with the reason
  /// "smt", "explorer", "barriers" if barriers alone decided, "threads" if one thread stood for all.
  std::string engine = "smt";
  /// The number of executions in which every thread goes as far as it can, if the explorer has enumerated all
  /// of them.
  std::optional<std::uint64_t> executions;
  bool is_given_up = false;  ///< other methods may decide more
  /// It is certain that in no execution all threads run to their end. Without a finding this contradicts
  /// itself, unless a finding is ignored or not asked for.
  bool lacks_complete_executions = false;
  double seconds = 0;
};

/// A message without its numbers, so that it is the same for all threads and positions. Messages of
/// assertions stay unchanged.
std::string gist_of(std::string message);

/// Whether a violation of the property was found.
bool has_finding(const LaunchAnswer&, LaunchProperty);
/// If a single violation suffices and there is one: makes the other properties unknown, and returns true.
bool stop_if_enough(LaunchAnswer&, const LaunchQuestion&);
/// Makes every requested property without a finding unknown.
void give_up(LaunchAnswer&, const LaunchQuestion&, const std::string& reason);

/// Adds the answer about a part of the executions to the answers about other parts.
void unite(LaunchAnswer& all, LaunchAnswer part);

}  // namespace ptxmc
