#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "semantics/diagnostic.hpp"
#include "semantics/instruction.hpp"
#include "solver/barrier_phases.hpp"

namespace ptxmc::kernel {

/// A place at which a thread waits for others of its warp, or of its CTA.
struct Stop {
  enum class Kind : std::uint8_t {
    exchange,  ///< shfl, vote, match, redux, elect
    warp,      ///< bar.warp.sync
    cta,       ///< bar.sync for the whole CTA
  };
  Kind kind = Kind::exchange;
  std::string_view instruction;  ///< of an exchange: those that meet have the same
  Bits mask;                     ///< the lanes that are to be there; cta: the number of the barrier
  Bits value;                    ///< exchange: what the thread brings
  std::vector<EventId> sources;  ///< the reads that it came from
  std::vector<EventId> control;  ///< exchange: those that decided that the thread comes there
  /// exchange: what the thread gets from each lane, and whether that takes part, where these are unknowns.
  std::array<Bits, lanes_per_warp> taken = {}, present = {};
  EventId token = 0;       ///< in dependencies: stands for what all lanes brought
  EventId presence = 0;    ///< the same: for what decided that the lanes come
  bool is_certain = true;  ///< on the only way that the thread has
  Bits condition;          ///< exchange: that the thread comes there, width 1
  Bits met;                ///< exchange: an unknown for that the others come there; width 0: they do
  unsigned step = 0;       ///< its place in program order
  Bits turn;               ///< exchange: how many with this mask there were before, if that is a number
  SourcePosition where;
  /// exchange without a membermask, which waits for nobody: threads that are active together at the same
  /// instruction in the same calls have the same number, an unknown. Else width 0.
  Bits together;
  std::vector<const Instruction*> calls;  ///< … these, and the instruction

  bool waits() const { return together.width() == 0; }
};

/// Who may be at an exchange with a thread.
struct Encounter {
  unsigned lane = 0;
  std::size_t stop = 0;             ///< of the thread in that lane
  Bits when = Bits::boolean(true);  ///< width 1: if both come, they meet
};
using Meeting = std::vector<Encounter>;

/// A thread and one of its stops, by number.
struct StopOfThread {
  int thread = 0;
  std::size_t stop = 0;
};

/// Which threads of a launch meet where in their warps. As they are unfolded one after the other, what they
/// bring to each other is learnt in rounds: an unknown stands for it until all is known.
class WarpMeetings {
 public:
  /// By thread, its warp, its lane and its CTA.
  struct Member {
    int warp = 0;
    unsigned lane = 0;
    int cta = 0;
  };
  explicit WarpMeetings(std::vector<Member>);

  void begin_round();
  /// The next stop of a thread in this round.
  void stop(int thread, Stop);
  /// How many it has had in this round.
  std::size_t stops(int thread) const { return stops_[static_cast<std::size_t>(thread)].size(); }
  /// A thread cannot go on in this round, for a reason that may be gone in the next.
  void cut_off(int thread, const Unsupported& reason);
  /// Masks are not learnt any more: those that are open depend on what is read.
  bool masks_are_open() const { return masks_are_open_; }
  /// In the last round: who meets whom depended on what is read.
  bool is_open() const { return is_open_; }
  /// What decides how the thread ends, if it does; whether it ends in every execution.
  void end(int thread, std::vector<EventId> control, bool is_certain) {
    ends_[static_cast<std::size_t>(thread)] = std::move(control);
    if (!is_certain) may_not_end_.insert(thread);
  }
  /// The thread certainly ends the launch before its next stop, and does not come to it.
  void end_launch(int thread) { ends_launch_.insert(thread); }
  bool has_lane(int thread, unsigned lane) const;
  EventId new_token() { return next_token_++; }
  /// In the last round: the thread waits for ever there, or at a stop before.
  bool is_stuck(int thread, std::size_t stop) const;
  /// In the last round: whether a lane took part in an exchange, what it brought if that is a number, and
  /// whether it comes there in every execution.
  struct Partner {
    enum class Presence : std::uint8_t { never, always, open };
    Presence presence = Presence::always;
    Bits number;  ///< width 0: none
    bool comes_always = false;
  };
  Partner partner(int thread, std::size_t stop, unsigned lane) const;
  /// All threads have been unfolded. Whether the next round may differ.
  bool end_round();

  bool has_exchanges() const;
  /// Which stop of a lane a thread meets is chosen in each execution: of its dependencies only the exchanges
  /// tell that `resolve` gives.
  bool are_meetings_chosen() const;
  /// The largest number for who is active together at the next stop of a thread, which is at these calls.
  unsigned largest_together(int thread, const std::vector<const Instruction*>& calls) const;
  /// Width 1: no thread is active together with itself, at another time.
  Bits one_at_a_time() const;
  /// Puts what lanes brought in place of the unknowns, and the reads that it came from. The exchanges where
  /// it is open who comes.
  std::vector<WarpExchange> resolve(EventStructure&) const;

 private:
  using Stops = std::vector<std::vector<Stop>>;  // by thread

  std::optional<int> thread_at(int warp, unsigned lane) const;
  bool is_complete(int thread, const std::vector<std::size_t>& next);
  void simulate();
  void meet(int thread, std::vector<std::size_t>& next);
  bool all_is_certain() const;
  void find_encounters();
  bool may_differ() const;

  std::vector<Member> members_;
  std::vector<std::vector<int>> warps_;  // by warp, then lane: the thread; -1: none
  Stops stops_, previous_;
  std::vector<std::vector<Meeting>> meetings_;     // by thread and stop, of the last round
  std::vector<std::optional<std::size_t>> stuck_;  // by thread: the stop that it waits at for ever
  std::vector<std::vector<Meeting>> last_meetings_;
  std::vector<std::optional<std::size_t>> last_stuck_;
  std::map<int, Unsupported> cut_off_;  // by thread, in this round
  bool masks_are_open_ = false;
  bool is_open_ = false;
  std::set<int> ends_launch_;               // threads, in this round
  std::set<int> may_not_end_;               // threads, in this round
  bool awaits_open_end_ = false;            // an exchange is complete if a thread ends that may not end
  std::vector<std::vector<EventId>> ends_;  // by thread, in this round
  EventId next_token_ = 1 << 30;            // behind all events
};

}  // namespace ptxmc::kernel
