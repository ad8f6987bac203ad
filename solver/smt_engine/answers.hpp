#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"
#include "model/program/proposition.hpp"

namespace ptxmc {

/// The progress of the explorer.
struct ExplorationProgress {
  double estimate = 0;  ///< of the number of executions; 0: the solver has taken over
  /// Found so far, including those that differ only in the names of interchangeable threads.
  std::uint64_t executions = 0;
  double seconds = 0;
};

struct DecideOptions {
  unsigned bound = 2;          ///< a loop's back edge is taken at most this many times
  std::size_t max_events = 0;  ///< 0: as many as memory has room for (event_limit.hpp)
  bool all_states = true;      ///< find every final state; false: only decide the condition
  bool all_findings = true;    ///< launches: find all violations; false: stop at the first one
  bool count_executions = false;
  std::size_t max_states =
      10'000;                      ///< further states are dropped, and the list is incomplete (`state_limit`)
  double timeout_seconds = 0;      ///< 0: none
  std::uint64_t memory_bytes = 0;  ///< 0: no limit
  std::uint64_t max_steps = 0;     ///< explorer: gives up after about this many choices; 0: no limit
  unsigned jobs = 1;               ///< explorer: threads that share one question
  std::uint64_t steps_alone = 1'000;  ///< explorer: choices that one thread makes before the others start
  /// Explorer: called first with an estimate, then once a second. With several jobs, several threads call it.
  std::function<void(const ExplorationProgress&)> on_progress = {};
  /// Set by Ctrl-C: the engine answers with what it has found.
  const std::atomic<bool>* interrupted = nullptr;
};

/// The reason for an incomplete list with more than `max_states` states.
constexpr const char* state_limit = "state limit";

/// Whether some execution satisfies the condition (for forall: violates it).
enum class Verdict { allowed, forbidden, unknown };

/// Whether accesses that overlap partially can race in an execution, which voids the axioms (PTX ISA 8.7
/// § 8.7.2).
enum class VoidingRace : std::uint8_t {
  impossible,
  possible,  ///< but not in the executions that were explored
  found
};

struct FinalState {
  std::vector<std::int64_t> values;  ///< of Answer::shown
  bool matches = false;              ///< satisfies the condition
  std::optional<std::uint64_t> executions;
  Execution witness;  ///< accepted by the judge; may lack the relations of the model
};

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::optional<bool> holds;  ///< the quantified condition is true
  std::string reason;         ///< of unknown: "loop bound 2", "timeout", …
  std::vector<FinalTerm> shown;
  std::vector<FinalState> states;
  bool states_complete = false;
  std::optional<std::uint64_t> executions;
  /// Explorer: explored branches that ended without a consistent execution.
  std::optional<std::uint64_t> blocked;
  VoidingRace voiding_race = VoidingRace::impossible;  ///< explorer
  std::optional<Execution> witness;  ///< satisfies the condition (forall: violates it), if there is one
  std::vector<std::string> notes;    ///< sentences about the answer, for example about accesses that race
  std::vector<std::string> flags;    ///< `flag` lines of the model that some execution raises
  double seconds = 0;
  std::string engine = "smt";  ///< that decided: "smt", "explorer", "both"
};

/// The flag of the embedded models for races after which the axioms do not hold: PTX ISA 8.7 § 8.7.2.
inline constexpr char mixed_size_race[] = "mixed_size_data_race";

/// The reason why other answers are unknown after such a race.
inline constexpr char mixed_size_race_reason[] = "mixed-size data race";

/// The finding about a `flag` line of a model for a program.
struct FlagFinding {
  std::string name;
  Verdict raised = Verdict::unknown;  ///< allowed: some execution raises it
  std::string reason;                 ///< why `raised` is unknown
  std::optional<Execution> witness;   ///< an execution that raises it
  std::string engine = "smt";         ///< the engine that decided
};

}  // namespace ptxmc
