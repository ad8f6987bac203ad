#pragma once

#include <map>
#include <set>

#include "semantics/values/number_map.hpp"
#include "solver/meetings/barrier_phases.hpp"
#include "src/kernel/unfolding/stop.hpp"
#include "src/kernel/unfolding/thread_groups.hpp"

namespace ptxmc::kernel {

/// Replaces the unknowns and tokens that stand for exchanges in values and dependencies.
///
/// Whether a thread arrives at an exchange may depend on other exchanges, which may depend on the first one.
/// Two threads that wait for each other at different exchanges never meet. So the least solution is taken: no
/// arrival is its own reason.
class MeetingResolution {
 public:
  /// Information after the last round.
  struct Known {
    const std::vector<std::vector<Stop>>& stops;        ///< by thread
    const std::vector<std::vector<Meeting>>& meetings;  ///< by thread and stop
    const ThreadGroups& groups;
    const std::vector<std::vector<EventId>>& ends;  ///< by thread: the reads that decide where it ends
    bool is_open = false;  ///< which threads meet depends on values that are read (encounters.hpp)
    bool are_meetings_chosen = false;  ///< … and which stops too: dependencies stay attached to the exchanges
  };
  MeetingResolution(const Known&, const EventStructure&);

  void apply(Bits& value);
  /// Replaces the tokens in the dependencies of an event.
  void apply(std::vector<EventId>& reads, EventId event);
  /// The exchanges at which threads meet.
  std::vector<WarpExchange> exchanges();

 private:
  /// The meaning of an unknown.
  struct Unknown {
    enum class Kind : std::uint8_t { taken, present, met } kind = Kind::taken;
    StopOfThread at;
    unsigned rank = 0;          ///< taken, present: of the other thread
    std::size_t register_ = 0;  ///< taken: the number of the register
    unsigned width = 1;
    Bits definition = {};                 ///< its value as a term, computed when it is needed,
    std::vector<VariableId> others = {};  ///< … and the unknowns in that term
    Bits value = {};                      ///< the solution so far
  };
  /// A dependency on the values of all threads of the group, or only on the reads that decide whether they
  /// arrive.
  struct Token {
    StopOfThread at;
    bool is_value = true;
  };

  void add(const Stop&, StopOfThread at);
  const std::vector<int>& group_of(StopOfThread) const;
  const Stop& stop_at(StopOfThread) const;
  const Meeting& meeting(StopOfThread) const;
  const Stop& stop_in(StopOfThread, const Encounter&) const;
  Bits definition(const Unknown&) const;
  Bits value_taken(const Unknown&) const;
  Bits presence(StopOfThread, unsigned rank) const;
  Bits all_arrive(StopOfThread) const;
  Bits has_left(StopOfThread, unsigned rank) const;
  std::vector<VariableId> new_unknowns(const Bits& value);
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
  NumberMap<bool> is_visited_;  // by number of the term: new_unknowns
  std::map<EventId, Token> tokens_;
  std::map<EventId, std::vector<EventId>> dependents_;  // by token, if meetings are chosen
  Substitution substitution_;
};

}  // namespace ptxmc::kernel
