#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/execution.hpp"
#include "solver/barrier_matching.hpp"
#include "solver/compiled_model.hpp"
#include "solver/known_values.hpp"
#include "solver/reads_from.hpp"

namespace ptxmc {

/// Throws Unsupported for memory of unknown content.
void check_contents(const EventStructure&);

/// An execution while it is being put together: which events happen, where reads read from, which barriers
/// met. Every step can be taken back.
class PartialExecution {
 public:
  /// An atom that a read may take, and from where.
  struct Part {
    EventId read = 0;
    std::size_t atom = 0;
    BitSet candidates;  ///< writes that may be its source in some execution
    BitSet excluded;    ///< existing writes that are left to other branches
    BitSet examined;    ///< writes of which it is certain what follows when it reads from them,
    BitSet updating;    ///< and of those the ones after which a read-modify-write writes
    BitSet taken;       ///< existing writes that other updates have read, when sources were last looked for
    bool is_active = false;  ///< the read happens and touches the atom
    EventId source = -1;
  };
  struct Meeting {
    std::vector<EventId> events;
    std::vector<EventId> members;  ///< those that happen, once it is matched
    bool is_matched = false;
    BarrierMatching matching;  ///< of the members
  };
  enum class State : std::uint8_t { open, present, absent };
  /// Which executions are of interest.
  enum class Ends : std::uint8_t {
    completed,  ///< those in which all threads run to their ends
    any,        ///< those of a launch, whose threads end in any way; `join` tells who meets at barriers
  };

  /// The structure and the model outlive it. `asked`: further terms whose values are asked for; `evaluated`:
  /// those whose values are looked at as far as they are known.
  PartialExecution(const EventStructure&, const cat::Model&, std::span<const std::string> wanted,
                   Ends ends = Ends::completed, std::span<const Bits> asked = {},
                   std::span<const Bits> evaluated = {});

  CompiledModel model;
  /// The events of the structure; of those that happen, addresses are known.
  const std::vector<Event>& events() const { return events_; }
  const KnownValues& values() const { return values_; }
  const std::vector<Atom>& atoms() const { return atoms_; }
  std::vector<Part>& parts() { return parts_; }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Meeting>& meetings() const { return meetings_; }
  const BitSet& writers(std::size_t atom) const { return writers_[atom]; }
  State state(EventId id) const { return states_[static_cast<std::size_t>(id)]; }

  /// An unknown that is none of a read has this value in what follows.
  void assume(const Bits& unknown, const Bits& constant) {
    values_.assign(unknown.term()->variable, constant);
  }

  /// Draws the conclusions from what is known. False: the execution is of no interest, whatever follows.
  bool settle();
  /// Of these it is open whether they happen, or where.
  const BitSet& open_events() const { return open_; }
  bool is_open() const { return !open_.is_empty(); }
  /// Numbers of active parts that have no source.
  const BitSet& unsourced() const { return unsourced_; }
  /// A meeting whose events are settled and not yet matched; -1: none.
  int next_meeting() const;
  /// Somebody waits for the result of a barrier that is not matched yet, or is never filled.
  bool awaits_reduction() const;
  /// Somebody waits at a barrier whose phase may be filled before another source is chosen.
  bool may_fill_phase() const;

  /// Whether the thread of the read can go on to an end of interest when it reads from the write, and whether
  /// its write follows then, as far as the values that are known tell. What is certain stays so when more of
  /// them are known.
  struct Consequence {
    bool is_dead_end = false;
    bool is_update = false;
    bool is_certain = false;
  };
  Consequence consequence(std::size_t part, EventId write, bool may_be_cut_off);
  /// The parts of read-modify-writes.
  const std::vector<std::size_t>& update_parts() const { return update_parts_; }
  /// On its value depends how the thread ends, or whether a read-modify-write writes.
  bool decides(std::size_t part) const { return !decided_by_[part].empty(); }
  /// Null: not known yet.
  const Bits* value_written(EventId write) const { return values_.find(original(write).value); }
  /// What is known is enough to see what some source of a part leads to.
  bool is_decisive(std::size_t part) const;

  void choose_source(std::size_t part, EventId write);
  void exclude(std::size_t part, const BitSet& writes);
  /// The writes are refused in any case.
  void stop_excluding(std::size_t part, const BitSet& writes);
  /// It is certain what follows from these sources; `updating` is the caller's to set.
  void examine(std::size_t part, const BitSet& writes);
  void match(std::size_t meeting, BarrierMatching matching);
  /// A barrier event goes on with those of a meeting that is complete, or is the first of a new one.
  void join(std::size_t meeting, EventId);
  /// A barrier event whose phase is never complete.
  void wait_for_ever(EventId);

  std::size_t mark();
  void undo_to(std::size_t mark);

  /// How a thread has ended, as far as it is known.
  std::optional<Ending::Kind> ending(std::size_t thread) const { return endings_[thread]; }
  bool all_completed() const;  ///< the threads have ended, and none waits
  bool is_cut_off() const;  ///< some thread wanted more iterations than the bound, the others can do no more
  bool may_be_cut_off() const;   ///< some thread may want more; not when it is of no interest
  bool ignores_cut_off = false;  ///< executions that are cut off are of no interest

  /// What happened is known, how threads have ended, and what is asked for.
  bool is_all_known() const;

  /// The execution, when it is complete; its coherence and other choices as the model has them.
  Execution execution() const;

 private:
  struct Undo {
    enum class What : std::uint8_t {
      state,
      source,
      excluded,
      examined,
      matched,
      joined,
      ended,
      read_value
    } what;
    std::size_t index;
  };
  struct Mark {
    std::size_t trail = 0, values = 0, settled = 0;
  };

  static constexpr std::size_t none = ~std::size_t{0};

  void make_parts();
  void include_terms(std::span<const Bits> evaluated);
  void find_decisive_parts();
  bool knows(const std::vector<Bits>& unknowns) const;
  void settle_event(EventId);
  void become_present(EventId);
  void settle_read_value(EventId);
  void settle_reductions();
  bool end_threads();
  bool is_some_cut_off() const;
  void undo(const Undo&);
  void save(Undo::What, std::size_t part, const BitSet& row);
  void relate_phases(const Meeting&, bool met);
  void leave_meeting(std::size_t);
  bool is_unfilled_wait(const Meeting&, std::size_t member) const;
  std::size_t unfilled_waits(const Meeting&) const;
  bool waits_unfilled(std::size_t thread) const;
  void leave_unread(EventId);
  bool is_touched(const Event&, std::size_t atom) const;
  const Event& original(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  const EventStructure& structure_;
  const Ends ends_;
  const std::vector<Bits> asked_;
  std::vector<Event> events_;
  KnownValues values_;
  std::vector<Atom> atoms_;
  std::vector<BitSet> writers_;  // by atom
  std::vector<Part> parts_;
  std::vector<std::vector<std::size_t>> parts_of_;  // by event
  std::vector<std::size_t> update_parts_;
  /// By part: the conditions that its value may decide, each as the other unknowns that it is made of.
  std::vector<std::vector<std::vector<Bits>>> decided_by_;
  std::vector<KnownValues::Dependents> deciding_;  // by part: what these conditions are made of
  std::vector<State> states_;
  BitSet unsourced_;            // parts
  BitSet sourced_;              // reads that have a source, and whose values are not known
  BitSet open_;                 // events of which it is open whether they happen, or where
  std::size_t settled_ = none;  // conclusions are drawn from so many known values
  std::vector<Meeting> meetings_;
  std::vector<EventId> counted_waits_;  // at barriers with a thread count, where threads may wait for ever
  std::vector<std::optional<Ending::Kind>> endings_;
  std::size_t hindrances_ = 0;  // threads that spin, and waits for phases that are never filled

  std::vector<Undo> trail_;
  std::vector<std::uint64_t> rows_before_;
  std::vector<Mark> marks_;  // by depth
};

}  // namespace ptxmc
