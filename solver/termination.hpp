#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "solver/decide.hpp"
#include "solver/unfold.hpp"

namespace ptxmc {

/// Which threads the machine promises to go on with.
struct Progress {
  enum class Kind {
    fair,       ///< every thread is scheduled again and again
    occupancy,  ///< every thread that has been started; while some hang, others may never start
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
  unsigned first_step = 0;  ///< where the iteration repeated for ever began, or the barrier
};

/// How to unfold a program of which is asked whether it ends: threads may wait for ever, and may not be
/// started.
UnfoldOptions unfold_options(const Program&, const cat::Model&, const DecideOptions&, const Progress&,
                             TermGraph&);

class Encoding;

/// Width 1: no thread can go on, and some has not ended. Of events unfolded so that threads may wait for
/// ever.
Bits is_stuck(const Encoding&);

/// The threads that have not ended, where these conditions hold.
std::vector<StuckThread> stuck_threads(const EventStructure&, const std::function<bool(const Bits&)>& holds);

struct Termination {
  Verdict hangs = Verdict::unknown;  ///< allowed: in some execution a thread never ends
  std::string reason;                ///< of unknown
  std::optional<Execution> witness;
  std::vector<StuckThread> stuck;
  double seconds = 0;
  std::string engine = "smt";  ///< that decided
};

/// Can a thread fail to end? Spin loops and barriers under fair memory: in an iteration repeated for ever,
/// every read takes a write that no other follows in coherence order.
Termination decide_termination(const Program&, const cat::Model&, const DecideOptions&, const Progress&);

/// What `decide` makes of an answer within the limits on time and memory, and how long it took.
Termination within_limits(const DecideOptions&, const std::function<void(Termination&)>& decide);

}  // namespace ptxmc
