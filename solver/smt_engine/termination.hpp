#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"
#include "solver/smt_engine/final_state_search.hpp"
#include "solver/unfolding/unfold.hpp"

namespace ptxmc {

/// The threads that are guaranteed to be scheduled.
struct Progress {
  enum class Kind {
    fair,       ///< every thread is scheduled again and again
    occupancy,  ///< every started thread is scheduled; while some hang, others may never start
                ///< (T. Sorensen et al., Portable inter-workgroup barrier synchronisation for GPUs, 2016)
  };
  Kind kind = Kind::fair;
  Scope together = Scope::cta;  ///< occupancy: threads in one such scope are started together
};

/// A thread that never ends.
struct StuckThread {
  int thread = 0;
  Ending::Kind how = Ending::Kind::spinning;  ///< spinning, waiting or not_started
  SourcePosition where;
  unsigned first_step = 0;  ///< of the first instruction of the repeated iteration, or of the barrier
};

/// Options to unfold a program for the question of termination: threads may wait for ever, and may never
/// start.
UnfoldOptions unfold_options(const Program&, const cat::Model&, const DecideOptions&, const Progress&,
                             TermGraph&);

class Encoding;

/// Whether no thread can continue and some thread has not ended; width 1. The events must be unfolded with
/// may_wait_for_ever.
Bits is_stuck(const Encoding&);

/// The threads that have not ended in an execution, given by the conditions that hold in it.
std::vector<StuckThread> stuck_threads(const EventStructure&, const std::function<bool(const Bits&)>& holds);

struct Termination {
  Verdict hangs = Verdict::unknown;  ///< allowed: in some execution a thread never ends
  std::string reason;                ///< of the verdict unknown
  std::optional<Execution> witness;
  std::vector<StuckThread> stuck;
  double seconds = 0;
  std::string engine = "smt";  ///< that decided
};

/// Decides whether some thread may never end, because of spin loops and barriers, under fair memory: in an
/// iteration repeated for ever, every read takes a write that no other write follows in coherence order.
Termination decide_termination(const Program&, const cat::Model&, const DecideOptions&, const Progress&);

/// Runs `decide` within the limits on time and memory, and records the time that it took.
Termination within_limits(const DecideOptions&, const std::function<void(Termination&)>& decide);

}  // namespace ptxmc
