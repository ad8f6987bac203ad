#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "model/proposition.hpp"

namespace ptxmc {

/// How far the explorer is.
struct ExplorationProgress {
  double estimate = 0;           ///< of the number of executions; 0: it has handed over to the solver
  std::uint64_t executions = 0;  ///< found so far, those apart that differ only by who is who
  double seconds = 0;
};

struct DecideOptions {
  unsigned bound = 2;      ///< a loop's back edge is taken at most so many times
  bool all_states = true;  ///< find every final state, not only what decides the condition
  bool count_executions = false;
  std::size_t max_states = 10'000;    ///< more are not kept: the states are incomplete, for `state_limit`
  double timeout_seconds = 0;         ///< 0: none
  std::uint64_t memory_bytes = 0;     ///< 0: no limit
  std::uint64_t max_steps = 0;        ///< explorer: about so many choices, then it gives up; 0: no limit
  unsigned jobs = 1;                  ///< explorer: threads that share one question
  std::uint64_t steps_alone = 1'000;  ///< explorer: so many choices one of them makes before the others help
  /// Explorer: called with an estimate at first, then once a second; by several threads, when they share.
  std::function<void(const ExplorationProgress&)> on_progress = {};
  const std::atomic<bool>* interrupted = nullptr;  ///< set by Ctrl-C: answer with what is known
};

/// Why states are incomplete of which there are more than may be kept.
constexpr const char* state_limit = "state limit";

/// Whether some execution satisfies the condition (forall: violates it).
enum class Verdict { allowed, forbidden, unknown };

struct FinalState {
  std::vector<std::int64_t> values;  ///< of Answer::shown
  bool matches = false;              ///< satisfies the condition
  std::optional<std::uint64_t> executions;
  Execution witness;  ///< accepted again by the concrete evaluator of the model; may lack its relations
};

struct Answer {
  Verdict verdict = Verdict::unknown;
  std::optional<bool> holds;  ///< the quantified condition is true
  std::string reason;         ///< of unknown: "loop bound 2", "timeout", …
  std::vector<FinalTerm> shown;
  std::vector<FinalState> states;
  bool states_complete = false;
  std::optional<std::uint64_t> executions;
  std::optional<std::uint64_t> blocked;  ///< explorer: how often it went where no execution is
  std::optional<Execution> witness;      ///< of the condition (forall: against it), when there is one
  std::vector<std::string> notes;        ///< sentences about the answer: which accesses race, say
  std::vector<std::string> flags;        ///< `flag` lines of the model that some execution raises
  double seconds = 0;
  std::string engine = "smt";  ///< that decided: "smt", "explorer", "both"
};

/// Decides a question about a program under a model with the SMT engine.
/// Throws Unsupported; an execution that the concrete evaluator refuses is a std::logic_error.
Answer decide(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
