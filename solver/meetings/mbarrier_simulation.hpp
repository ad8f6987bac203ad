#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/mbarrier_waits.hpp"

namespace ptxmc {

/// An update of an mbarrier object, with its counts: see MbarrierStep.
struct MbarrierUpdate {
  EventId read = -1, write = -1;
  std::uint64_t increments = 0, arrivals = 0, drops = 0, expects = 0, completes = 0;
};

/// A phase of an mbarrier object.
struct MbarrierPhase {
  std::uint64_t pending = 0, expected = 0;  ///< at its beginning
  std::vector<MbarrierUpdate> updates;
};

/// What certainly happens before an event of a thread in every execution in which waits end in their phases
/// of the simulation, whether or not it precedes the event in causality order. A wait that has ended was
/// performed after the updates that completed the phase; what follows it in program order, asynchronous
/// operations included, depends on it; and a thread continues at a barrier after the arrivals. Program order
/// alone gives nothing.
struct MbarrierPast {
  std::vector<unsigned> polls;   ///< by thread: its polls that have ended waits, with lower steps
  std::vector<unsigned> phases;  ///< by object: all updates of earlier phases

  void include(const MbarrierPast&);
};

/// An mbarrier object, and its phases in one execution. The last phase is the one that never completes.
struct MbarrierObject {
  std::uint64_t location = 0;  ///< memory may hold one object after the other
  EventId init = -1;
  std::optional<EventId> inval;
  std::vector<MbarrierPhase> phases;

  unsigned last_phase() const { return static_cast<unsigned>(phases.size()) - 1; }
};

/// By read of an update or a poll: the phase of the object that it reads.
using PhaseOfRead = std::map<EventId, unsigned>;

/// One execution of the threads of a launch as far as they meet at barriers and mbarriers.
struct MbarrierSimulation {
  struct PassedPoll {
    std::size_t object;
    unsigned phase;  ///< of the object when the poll returns True
  };

  std::vector<MbarrierObject> objects;
  std::map<EventId, PassedPoll> passed;    ///< by read of the poll
  std::map<EventId, std::size_t> endless;  ///< by read of the poll: its object
  std::vector<EventId> blocked;            ///< the reads of the polls at which threads wait for ever
  PhaseOfRead phase_of;
  std::map<EventId, std::shared_ptr<const MbarrierPast>> past;  ///< by read of the update
};

/// Simulates the threads under a schedule of their barriers, in one possible order: an asynchronous operation
/// signals as soon as it starts. The structure is
/// `MbarrierWaits::decided` under this schedule. Empty if an operation needs values that are not known, or an
/// object is used before `mbarrier.init` or behind `mbarrier.inval`. A further `mbarrier.init` begins a new
/// object.
std::optional<MbarrierSimulation> simulate_mbarriers(const EventStructure&, const BarrierSchedule&,
                                                     const MbarrierWaits&, const std::set<EventId>& endless);

/// The value of a term over words of mbarriers, if it only depends on these phases.
std::optional<Bits> in_phases(const Bits& term, const EventStructure&, const MbarrierWaits&,
                              const PhaseOfRead&);

/// Whether a poll returns True in this phase of its object, with these phases of other reads; empty if this
/// depends on other unknowns.
std::optional<bool> succeeds(const MbarrierWaits::Poll&, const EventStructure&, const MbarrierWaits&,
                             const PhaseOfRead&, unsigned phase);

/// The content of an mbarrier object in a phase, where the counts are those of another content.
Bits word_in_phase(const Bits& word, unsigned phase);

}  // namespace ptxmc
