#pragma once

#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "solver/algebra/bit_rows.hpp"
#include "solver/compiled_model/conflicting_updates.hpp"
#include "solver/explorer/partial_execution.hpp"
#include "solver/explorer/well_founded_reads.hpp"

namespace ptxmc {

/// Calls `visit` for every event of a set.
template <class Visit>
void for_each_event(const BitSet& set, Visit visit) {
  for_each_member(set.words(), set.word_count(), [&](std::size_t i) { visit(static_cast<EventId>(i)); });
}

/// The number of members of a set.
std::size_t count(const BitSet&);

/// The next choice.
struct Step {
  enum class Kind { forced, source, complete, blocked, impossible } kind = Kind::complete;
  std::size_t which = 0;  ///< source: the number of the part
  BitSet options;         ///< source: existing writes
  BitSet refused;         ///< source: existing writes that were excluded
  bool later = false;     ///< source: a write that does not exist yet is another option
  std::vector<std::pair<std::size_t, EventId>> forced;  ///< parts with exactly one source, and this source

  bool is_forced() const;
  /// Source: the model refuses all options.
  bool has_no_way() const { return kind == Kind::impossible || (options.is_empty() && !later); }
};

/// Finds the next choice of a source. In this order: all reads with exactly one source; the read with the
/// fewest sources among reads whose sources all exist (chains of read-modify-writes starting at their ends);
/// the read with the fewest sources among those that decide which events happen.
class NextStep {
 public:
  /// The arguments must outlive it.
  NextStep(PartialExecution&, const EventStructure&, const cat::Model&);

  void find(Step&);
  /// Removes the sources that the model refuses; the model must be up to date. If exactly one option remains,
  /// the read is forced to it, together with other reads that have one source.
  void refuse_sources(Step&);
  /// Removes the sources after which another read could have no source, and the option *later* if no further
  /// source could come. Only for models that forbid values out of thin air.
  void refuse_unfounded(Step&);
  /// Whether exactly one of these parts of read-modify-writes reads from the write in every completion, since
  /// each excludes the others and without it some read would have no source. Only for models that forbid
  /// values out of thin air. The parts are alike: what holds of the first and another holds of any two.
  bool one_must_take(std::span<const std::size_t> parts, EventId write);
  /// Performs a step that has no alternatives.
  void take(const Step&);
  /// Sources that the model refuses because of another update are no longer recorded as excluded. Partial
  /// executions that were reached on different paths then compare as equal.
  void stop_excluding_refused();

 private:
  using Part = PartialExecution::Part;

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
  WellFoundedReads well_founded_reads_;
  // By write: the parts of read-modify-writes that have read it.
  std::vector<std::vector<std::size_t>> consumers_;
  std::vector<EventId> consumed_;
  BitSet awaited_;              // writes that read-modify-writes have read
  std::vector<bool> holds_up_;  // by part: its value decides which events happen, or their addresses
  BitSet scratch_, dead_ends_, certain_;
  bool may_be_cut_off_ = false;
  std::size_t movable_ = 0;  // reads that can get a source now, so that other threads continue
  bool is_waiting_ = false;
  bool is_some_without_source_ = false;  // a read has no source among the existing writes
  // The rank of the best step so far: smaller ranks come first.
  std::tuple<bool, bool, bool, std::size_t> best_;
};

}  // namespace ptxmc
