#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "semantics/diagnostic.hpp"

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
  std::uint64_t mask = 0;        ///< the lanes that are to be there; cta: the number of the barrier
  Bits value;                    ///< exchange: what the thread brings
  std::vector<EventId> sources;  ///< the reads that it came from
  /// exchange: what the thread gets from each lane, where that is an unknown.
  std::array<Bits, lanes_per_warp> taken = {};
  EventId token = 0;       ///< in dependencies: stands for what all lanes brought
  bool is_certain = true;  ///< barriers: on the only way that the thread has
  Bits condition;          ///< exchange: that the thread comes there, width 1
  Bits met;                ///< exchange: an unknown for that the others come there; width 0: they do
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
  EventId new_token() { return next_token_++; }
  /// In the last round: the thread waits there for ever.
  bool is_stuck(int thread, std::size_t stop) const;
  /// In the last round: whether a lane took part in an exchange, what it brought if that is a number, and
  /// whether it comes there in every execution.
  struct Partner {
    bool takes_part = true;
    std::optional<Bits> number;
    bool comes_always = false;
  };
  Partner partner(int thread, std::size_t stop, unsigned lane) const;
  /// All threads have been unfolded. Whether the next round may differ.
  bool end_round();

  bool has_exchanges() const;
  /// Puts what lanes brought in place of the unknowns, and the reads that it came from.
  void resolve(EventStructure&) const;

 private:
  struct Meeting {
    std::array<int, lanes_per_warp> stops;  ///< by lane; -1: it takes no part
  };
  using Stops = std::vector<std::vector<Stop>>;  // by thread

  std::optional<int> thread_at(int warp, unsigned lane) const;
  bool is_complete(int thread, const std::vector<std::size_t>& next) const;
  void simulate();
  void meet(int thread, std::vector<std::size_t>& next);

  std::vector<Member> members_;
  std::vector<std::vector<int>> warps_;  // by warp, then lane: the thread; -1: none
  Stops stops_, previous_;
  std::vector<std::vector<Meeting>> meetings_;     // by thread and stop, of the last round
  std::vector<std::optional<std::size_t>> stuck_;  // by thread: the exchange that it waits at for ever
  std::vector<std::vector<Meeting>> last_meetings_;
  std::vector<std::optional<std::size_t>> last_stuck_;
  std::map<int, Unsupported> cut_off_;  // by thread, in this round
  EventId next_token_ = 1 << 30;        // behind all events
};

}  // namespace ptxmc::kernel
