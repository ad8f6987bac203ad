#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/algebra/known_values.hpp"
#include "solver/compiled_model/compiled_model.hpp"
#include "solver/explorer/decisive_reads.hpp"
#include "solver/explorer/read_parts.hpp"
#include "solver/explorer/thread_ends.hpp"

namespace ptxmc {

/// Throws Unsupported if memory has unknown content.
void check_contents(const EventStructure&);

/// An execution under construction: the events that happen, the sources of reads, the phases of barriers.
/// Every step can be undone.
class PartialExecution {
 public:
  using Part = ReadPart;
  /// The events of one phase of a barrier, in the order in which their threads continued.
  struct Phase {
    std::vector<EventId> members;
  };
  enum class State : std::uint8_t { open, present, absent };
  /// The executions of interest.
  enum class Ends : std::uint8_t {
    completed,  ///< executions in which all threads complete
    any,  ///< executions of a launch, whose threads may end in any way; `join` forms the phases of barriers
  };

  /// The structure and the model must outlive it. `asked` are further terms whose values are needed;
  /// `evaluated` are terms whose values are used as far as they are known.
  PartialExecution(const EventStructure&, const cat::Model&, std::span<const std::string> wanted,
                   Ends ends = Ends::completed, std::span<const Bits> asked = {},
                   std::span<const Bits> evaluated = {});

  Ends ends() const { return ends_; }
  CompiledModel model;
  /// The events of the structure. The addresses of events that happen are known.
  const std::vector<Event>& events() const { return events_; }
  const KnownValues& values() const { return values_; }
  const std::vector<Atom>& atoms() const { return reads_.atoms; }
  std::vector<Part>& parts() { return reads_.parts; }
  const std::vector<Part>& parts() const { return reads_.parts; }
  const std::vector<Phase>& phases() const { return barriers_.phases; }
  const BitSet& writers(std::size_t atom) const { return reads_.writers[atom]; }
  State state(EventId id) const { return states_[static_cast<std::size_t>(id)]; }

  /// Assumes a value for an unknown that is not the result of a read.
  void assume(const Bits& unknown, const Bits& constant) {
    values_.assign(unknown.term()->variable, constant);
  }

  /// Derives all consequences of the known values. Returns false if no completion of the execution is of
  /// interest.
  bool settle();
  /// Events for which it is open whether they happen, or at which address.
  const BitSet& open_events() const { return open_; }
  bool is_open() const { return !open_.is_empty(); }
  /// The active parts without a source.
  const BitSet& unsourced() const { return reads_.unsourced; }
  /// Whether a thread waits at a barrier whose phase may complete before another source is chosen.
  bool may_fill_phase() const;

  /// The consequences of a read taking its value from a write, as far as the known values determine them:
  /// whether the thread can reach an end of interest, and whether the write of its read-modify-write happens.
  /// A certain consequence stays certain when more values become known.
  struct Consequence {
    bool is_dead_end = false;
    bool is_update = false;
    bool is_certain = false;
  };
  Consequence consequence(std::size_t part, EventId write, bool may_be_cut_off);
  /// The parts of read-modify-writes.
  const std::vector<std::size_t>& update_parts() const { return reads_.of_updates; }
  /// Whether its value decides how the thread ends, or whether a read-modify-write writes.
  bool decides(std::size_t part) const { return decisive_.decides(part); }
  /// The value of a write; null if not known yet.
  const Bits* value_written(EventId write) const { return values_.find(original(write).value); }
  /// Whether the known values determine the consequences of some source of a part.
  bool is_decisive(std::size_t part) const { return decisive_.decides_one(part, values_); }

  void choose_source(std::size_t part, EventId write);
  void exclude(std::size_t part, const BitSet& writes);
  /// Removes writes from `excluded` that are refused in any case.
  void stop_excluding(std::size_t part, const BitSet& writes);
  /// Records that the consequences of these sources are certain. The caller sets `updating`.
  void examine(std::size_t part, const BitSet& writes);
  /// Adds a barrier event to a phase, or begins a new phase if there is none with this number. Its thread
  /// continues together with the others of the phase.
  void join(std::size_t phase, EventId);
  /// Records a barrier event whose phase never completes.
  void wait_for_ever(EventId);
  bool waits_for_ever(EventId) const;

  std::size_t mark();
  void undo_to(std::size_t mark);

  /// How a thread has ended, if known.
  std::optional<Ending::Kind> ending(std::size_t thread) const { return ends_of_threads_[thread]; }
  bool all_completed() const { return ends_of_threads_.all_completed(); }
  /// Some thread needs more iterations than the bound, and the others cannot continue.
  bool is_cut_off() const { return ends_of_threads_.is_cut_off(); }
  /// Some thread may need more iterations; false if such executions are of no interest.
  bool may_be_cut_off() const { return !ignores_cut_off && ends_of_threads_.may_be_cut_off(values_); }
  bool ignores_cut_off = false;  ///< executions that the bound cuts off are of no interest

  /// Whether all events, the endings of threads and the values of `asked` are known.
  bool is_all_known() const;

  /// The complete execution, with coherence and other choices from the model.
  Execution execution() const;

 private:
  struct Undo {
    enum class What : std::uint8_t { state, source, excluded, examined, joined, ended, read_value } what;
    std::size_t index;
  };
  struct Mark {
    std::size_t steps = 0, values = 0, settled = 0;
  };
  /// The steps so far, to undo them.
  struct History {
    std::vector<Undo> steps;
    std::vector<std::uint64_t> rows;  // of parts, before the steps that changed them
    std::vector<Mark> marks;          // by depth
  };
  struct Barriers {
    std::vector<Phase> phases;
    std::vector<EventId> counted_waits;  // at barriers with a thread count, where threads may wait for ever
  };

  static constexpr std::size_t none = ~std::size_t{0};

  void settle_event(EventId);
  void become_present(EventId);
  void settle_read_value(EventId);
  void settle_reductions();
  bool end_threads();
  void undo(const Undo&);
  void save(Undo::What, std::size_t part, const BitSet& row);
  void leave_phase(std::size_t);
  void leave_unread(EventId);
  const Event& original(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }

  const EventStructure& structure_;
  const Ends ends_;
  const std::vector<Bits> asked_;
  std::vector<Event> events_;
  KnownValues values_;
  ReadParts reads_;
  const DecisiveReads decisive_;
  ThreadEnds ends_of_threads_;
  std::vector<State> states_;   // by event
  BitSet open_;                 // events for which it is open whether they happen, or at which address
  std::size_t settled_ = none;  // the number of known values whose consequences have been derived
  Barriers barriers_;
  History history_;
};

}  // namespace ptxmc
