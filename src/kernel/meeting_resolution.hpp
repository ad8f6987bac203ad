#pragma once

#include <map>
#include <set>

#include "src/kernel/warp_meetings.hpp"

namespace ptxmc::kernel {

/// Values and dependencies without the unknowns and tokens of exchanges.
///
/// That the lanes of an exchange come there may depend on other exchanges, and those on it: two lanes that
/// wait for each other at different ones never meet. So what holds is the least solution, in which nobody
/// comes because he comes.
class MeetingResolution {
 public:
  /// What is known after the last round.
  struct Known {
    const std::vector<std::vector<Stop>>& stops;        ///< by thread
    const std::vector<std::vector<Meeting>>& meetings;  ///< by thread and stop
    const std::vector<std::vector<int>>& warps;         ///< by warp and lane: the thread; -1: none
    const std::vector<int>& warp_of;                    ///< by thread
    const std::vector<std::vector<EventId>>& ends;      ///< by thread: the reads that decide how it ends
    bool is_open = false;              ///< who meets whom depends on what is read (lane_encounters.hpp)
    bool are_meetings_chosen = false;  ///< … and which of its stops: dependencies stay with the exchanges
  };
  MeetingResolution(const Known&, const EventStructure&);

  void apply(Bits& value);
  /// What an event depends on.
  void apply(std::vector<EventId>& reads, EventId event);
  /// Who waits for whom, where that is open.
  std::vector<WarpExchange> exchanges();

 private:
  /// What an unknown stands for.
  struct Unknown {
    enum class Kind : std::uint8_t { taken, present, met } kind = Kind::taken;
    StopOfThread at;
    unsigned lane = 0;  ///< taken, present: from which
    unsigned width = 1;
    Bits definition;                 ///< once it is needed: what it stands for,
    std::vector<VariableId> others;  ///< … and the unknowns in that
    Bits value;                      ///< that is known of it so far
  };
  /// A dependency on what all lanes brought, or only on what decided that they come.
  struct Token {
    StopOfThread at;
    bool is_value = true;
  };

  void add(const Stop&, StopOfThread at);
  const std::vector<int>& warp_of(StopOfThread) const;
  const Meeting& meeting(StopOfThread) const;
  const Stop& stop_in(StopOfThread, const Encounter&) const;
  Bits definition(const Unknown&) const;
  Bits value_taken(const Unknown&) const;
  Bits presence(StopOfThread, unsigned lane) const;
  Bits everybody(StopOfThread) const;
  Bits has_left(StopOfThread, unsigned lane) const;
  std::vector<VariableId> needed_for(const Bits& value);
  void resolve(const std::vector<VariableId>&);
  void resolve_together(const std::vector<VariableId>&);
  Bits resolved(Bits value);
  void expand(EventId, std::set<EventId>& all, std::set<EventId>& met) const;
  Bits condition_of(EventId) const;
  std::vector<EventId> leaving(StopOfThread) const;

  const Known known_;
  const EventStructure& structure_;
  std::map<VariableId, Unknown> unknowns_;
  std::set<VariableId> is_resolved_;
  std::map<EventId, Token> tokens_;
  std::map<EventId, std::vector<EventId>> dependents_;  // by token, where meetings are chosen
  Substitution substitution_;
};

}  // namespace ptxmc::kernel
