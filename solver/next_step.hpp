#pragma once

#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/bit_rows.hpp"
#include "solver/foundation.hpp"
#include "solver/partial_execution.hpp"
#include "solver/rival_updates.hpp"

namespace ptxmc {

/// Calls `visit` for every event of a set.
template <class Visit>
void for_each_event(const BitSet& set, Visit visit) {
  for_each_member(set.words(), set.word_count(), [&](std::size_t i) { visit(static_cast<EventId>(i)); });
}

/// How many members a set has.
std::size_t count(const BitSet&);

/// One thing to be chosen next.
struct Step {
  enum class Kind { forced, source, matching, complete, blocked, impossible } kind = Kind::complete;
  std::size_t which = 0;                                ///< part or meeting
  BitSet options;                                       ///< source: existing writes
  BitSet refused;                                       ///< source: existing writes that it cannot be
  bool later = false;                                   ///< source: or one that does not exist yet
  std::vector<std::pair<std::size_t, EventId>> forced;  ///< parts that have one source only, and it
  std::vector<BarrierMatching> matchings;

  bool is_forced() const;
  /// Source: the model refuses all.
  bool has_no_way() const { return kind == Kind::impossible || (options.is_empty() && !later); }
};

/// Finds what is to be chosen next: barriers that are ready to meet, then all reads that have one source
/// only, then the read with the fewest sources among those whose sources all exist, chains of
/// read-modify-writes from their ends, then among those that hold up what happens.
class NextStep {
 public:
  /// The arguments outlive it.
  NextStep(PartialExecution&, const EventStructure&, const cat::Model&);

  void find(Step&);
  /// Takes away the sources that the model refuses, which is up to date. When that leaves no choice, looks
  /// for other reads that have none.
  void refuse_sources(Step&);
  /// Takes away the sources after which other reads would have none, and the way on which all are left out if
  /// then none could come. In a model that forbids values out of thin air.
  void refuse_unfounded(Step&);
  /// What is no choice.
  void take(const Step&);
  /// What an update may not read because of another one need not be excluded besides: then executions that
  /// came about in different ways are the same.
  void stop_excluding_refused();

 private:
  using Part = PartialExecution::Part;

  void find_matching(Step&, std::size_t meeting) const;
  void find_what_holds_up(const EventStructure&);
  void find_consumers();
  void consider(Step&, std::size_t part);
  void force(Step&, std::size_t part, EventId source) const;
  void find_forced(Step&);
  void find_options(std::size_t part, BitSet& options);
  bool is_refused(const Part&, std::size_t write) const;
  bool is_guess(std::size_t part, const BitSet& options) const;
  bool is_update(std::size_t part, EventId write);
  bool has_rival(const Part&, EventId write);
  bool may_come(std::size_t part) const;
  void find_dead_ends(std::size_t part);

  PartialExecution& execution_;
  std::optional<RivalUpdates> rivals_;
  Foundation foundation_;
  std::vector<std::vector<std::size_t>> consumers_;  // by event: the parts of updates that have read it
  std::vector<EventId> consumed_;
  BitSet awaited_;              // writes that updates have read
  std::vector<bool> holds_up_;  // by part: on its value depends what happens, and where
  BitSet scratch_, dead_ends_, certain_;
  bool may_be_cut_off_ = false;
  std::size_t movable_ = 0;  // reads that can have a source now, and others go on
  bool is_waiting_ = false;
  bool is_some_without_source_ = false;             // of the writes that exist
  std::tuple<bool, bool, bool, std::size_t> best_;  // of the step that is looked for: less comes first
};

}  // namespace ptxmc
