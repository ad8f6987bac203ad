#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "model/program/event.hpp"
#include "solver/meetings/barrier_schedules.hpp"
#include "solver/meetings/strand_completions.hpp"

namespace ptxmc {

/// The order that program order, a known schedule of barriers and mbarriers, and the completions of
/// asynchronous operations give, independently of reads: a part of base causality order (PTX ISA 8.7
/// § 8.9.5). An asynchronous operation follows what precedes its start, and precedes what follows its
/// completion. Both together order nothing: § 8.9.1.1.
class BarrierOrder {
 public:
  /// The order of program order alone.
  explicit BarrierOrder(const EventStructure&);
  BarrierOrder(const EventStructure&, const BarrierSchedule&);

  /// Whether the first event precedes the second if both happen. Initial writes precede all other events.
  bool precedes(EventId, EventId) const;

  /// Whether the first event precedes a proxy fence which precedes the second, an access of an asynchronous
  /// operation: a fence for the proxy and the memory of the second, in one CTA with it
  /// (`is_in_cta_of_fence`). If the fence has
  /// `.acquire`, one with `.release` precedes it, and the first event precedes that one. Fences with
  /// `.sync_restrict` do not count.
  bool precedes_through_fence(EventId, EventId) const;

  /// Whether the first event precedes the second in every course of the execution (`executes_before` of
  /// ptx-8.7): a wait that observes an arrival follows what its thread has executed before, whatever their
  /// scopes and semantics.
  bool executes_before(EventId, EventId) const;

  /// Whether the first event precedes the second or belongs to the same instruction.
  bool is_needed_by(EventId, EventId) const;

  /// A position of an access that increases along the order; instructions of different threads have different
  /// positions.
  using Position = std::tuple<std::uint64_t, int, unsigned>;
  Position position(EventId) const;

 private:
  /// What precedes a moment of a thread.
  struct Clock {
    Clock(std::size_t threads, std::size_t completions) : steps(threads, 0), words((completions + 63) / 64) {}
    void include(std::size_t thread, unsigned end);
    void complete(std::size_t completion) { words[completion / 64] |= std::uint64_t{1} << completion % 64; }
    void include(const Clock&);
    bool is_complete(std::size_t completion) const {
      return (words[completion / 64] >> completion % 64 & 1) != 0;
    }

    std::vector<unsigned> steps;       ///< by thread: its own events with lower steps precede
    std::vector<std::uint64_t> words;  ///< by completion a bit: the events that it covers precede
  };
  struct Moment {
    unsigned step = 0;  ///< the step of the barrier or wait that the thread has passed
    std::uint64_t time = 0;
    std::shared_ptr<const Clock> before;
  };
  struct Phase;
  class Passing;
  using Moments = std::vector<std::vector<Moment>>;  // by thread

  static const Moment* moment_before(const Moments&, int thread, unsigned step);
  const Moment* last_moment(const Event& event) const {
    return moment_before(moments_, event.thread, start_of(event));
  }
  bool precedes(EventId, EventId, const Moments&) const;
  unsigned start_of(const Event&) const;
  bool is_in(const Clock&, EventId) const;
  void include(Clock&, const Event& moment) const;
  void find_fences();
  /// By thread, the proxy fences that it executes in every execution.
  using Fences = std::map<int, std::vector<EventId>>;
  Clock fenced_before(const Event& access, const Fences&) const;
  void include_releases(Clock& result, const Event& acquire, const Fences&) const;
  bool are_fences_strong_together(const Event&, const Event&) const;
  const Event& event(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  const EventStructure& structure_;
  const StrandCompletions completions_;
  std::vector<std::vector<unsigned>> tensor_fences_;  // by thread: the steps of TensorFence::after
  Moments moments_;
  Moments executed_;  // the same in executes_before; empty if nothing asks for it
  /// Of an access: thread and step of the start, proxy, state space, and the location if fences have an
  /// address range, or the CTA of the shared memory that it accesses, or 0.
  using FencedPlace = std::tuple<int, unsigned, Proxy, StateSpace, std::uint64_t>;
  FencedPlace fenced_place(const Event& access) const;
  std::map<FencedPlace, Clock> fenced_;  // what precedes a proxy fence before the access
};

}  // namespace ptxmc
