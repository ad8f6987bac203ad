#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/program/event.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "src/kernel/unfolding/stop.hpp"
#include "src/kernel/unfolding/thread_groups.hpp"

namespace ptxmc::kernel {

/// Determines which threads of a launch meet at the exchanges of their groups. Threads are unfolded one after
/// the other, so the values that they exchange are determined in several rounds; until then unknowns
/// represent them.
class GroupMeetings {
 public:
  explicit GroupMeetings(ThreadGroups);

  void begin_round();
  /// Adds the next stop of a thread in this round.
  void stop(int thread, Stop);
  /// The number of stops of a thread so far in this round.
  std::size_t stops(int thread) const { return stops_[static_cast<std::size_t>(thread)].size(); }
  /// Records that a thread cannot continue in this round, for a reason that may not exist in the next.
  void cut_off(int thread, const Unsupported& reason);
  /// Masks no longer change between rounds: masks that are still open depend on values that are read.
  bool masks_are_open() const { return masks_are_open_; }
  /// Whether in the last round the threads that meet depended on values that are read.
  bool is_open() const { return is_open_; }
  /// Records the reads that decide where the thread ends, and whether it ends in every execution.
  void end(int thread, std::vector<EventId> control, bool is_certain) {
    ends_[static_cast<std::size_t>(thread)] = std::move(control);
    if (!is_certain) may_not_end_.insert(thread);
  }
  /// Records that the thread certainly ends the launch before its next stop, and never reaches it.
  void end_launch(int thread) { ends_launch_.insert(thread); }
  const ThreadGroups& groups() const { return groups_; }
  EventId new_token() { return next_token_++; }
  /// Whether in the last round the thread waits for ever at this stop or an earlier one.
  bool is_stuck(int thread, std::size_t stop) const;
  /// A thread of the group at an exchange in the last round: whether it took part, by register the value that
  /// it contributed if this is a constant, and whether it arrives in every execution.
  struct Partner {
    enum class Presence : std::uint8_t { never, always, open };
    Presence presence = Presence::always;
    std::vector<Bits> numbers = {};  ///< width 0: not known; empty: none is known
    bool always_arrives = false;
  };
  Partner partner(int thread, std::size_t stop, ThreadGroup, unsigned rank) const;
  /// Ends a round in which all threads have been unfolded. Returns whether the next round may differ.
  bool end_round();

  bool has_exchanges() const;
  /// Whether each execution chooses the stop of another thread that a thread meets. Dependencies then come
  /// only from the exchanges that `resolve` returns.
  bool are_meetings_chosen() const;
  /// The largest value of `Stop::together` for the next stop of a thread, which is in these calls.
  unsigned largest_together(int thread, const std::vector<const Instruction*>& calls) const;
  /// The constraint (width 1) that two stops of one thread are never active together.
  Bits one_at_a_time() const;
  /// Replaces the unknowns by the values of the threads, and the tokens by reads. Returns the exchanges if
  /// their participating threads depend on values that are read, or if they are asked for.
  std::vector<WarpExchange> resolve(EventStructure&, bool wants_exchanges) const;

 private:
  using Stops = std::vector<std::vector<Stop>>;  // by thread

  bool is_complete(int thread, const std::vector<std::size_t>& next);
  void simulate();
  void meet(int thread, std::vector<std::size_t>& next);
  bool all_is_certain() const;
  void find_encounters();
  bool may_differ() const;

  const ThreadGroups groups_;
  Stops stops_, previous_;
  std::vector<std::vector<Meeting>> meetings_;     // by thread and stop, of the last round
  std::vector<std::optional<std::size_t>> stuck_;  // by thread: the stop at which it waits for ever
  std::vector<std::vector<Meeting>> last_meetings_;
  std::vector<std::optional<std::size_t>> last_stuck_;
  std::map<int, Unsupported> cut_off_;  // by thread, in this round
  bool masks_are_open_ = false;
  bool is_open_ = false;
  std::set<int> ends_launch_;               // threads, in this round
  std::set<int> may_not_end_;               // threads, in this round
  bool awaits_open_end_ = false;            // an exchange is complete only if a thread ends that may not end
  std::vector<std::vector<EventId>> ends_;  // by thread, in this round
  EventId next_token_ = 1 << 30;            // above the numbers of all events
};

}  // namespace ptxmc::kernel
