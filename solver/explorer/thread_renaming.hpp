#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/encoding/symmetry.hpp"
#include "solver/explorer/partial_execution.hpp"

namespace ptxmc {

/// Identifies partial executions that differ only by a permutation of interchangeable threads (C. N. Ip and
/// D. L. Dill, Better verification through symmetry, 1996).
class ThreadRenaming {
 public:
  /// The structure must outlive it.
  ThreadRenaming(const EventStructure&, const CompiledModel&, const ObservedState&);

  /// Whether no two threads are interchangeable.
  bool is_trivial() const { return threads_.empty(); }

  /// A key that is equal only for executions which differ by a permutation of interchangeable threads. It
  /// lists the choices of the execution, with the threads in an order that depends on these choices and, as
  /// far as possible, not on the numbers of the threads.
  const std::string& key(const PartialExecution&);

  /// The number of executions that differ from this one only by a permutation of interchangeable threads,
  /// with itself; too small where threads that the execution tells apart look alike.
  double equivalent_executions(const PartialExecution&);

  /// The sources of a part that must be tried, each with the number of sources that it represents. Sources
  /// are equivalent if they belong to interchangeable threads for which nothing has been chosen yet, given
  /// the barrier phases so far.
  std::vector<std::pair<EventId, std::uint64_t>> representatives(const PartialExecution&, std::size_t part,
                                                                 const BitSet& sources);
  /// The part, and the parts like it of threads that can be exchanged with its thread, while nothing has been
  /// chosen for any of them. Only the part itself if the write is by one of these threads, so that an
  /// exchange changes what it is to read from it.
  std::vector<std::size_t> readers_alike(const PartialExecution&, std::size_t part, EventId write);

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t unmatched = 0, unfilled = 1, first_phase = 2;
  /// A thread that is interchangeable with others of its group.
  struct Thread {
    std::size_t group = 0;
    std::vector<EventId> events;     // in program order
    std::vector<std::size_t> parts;  // the parts of its reads, in this order
    std::vector<EventId> barriers;   // the barrier events among `events`
  };

  void add_group(const EventStructure&, std::size_t group, const std::vector<std::size_t>& threads);
  void find_parts(const PartialExecution&);
  void find_phases(const PartialExecution&);
  void color(const PartialExecution&);
  std::uint64_t color_of(const PartialExecution&, const Thread&) const;
  void write_number(std::size_t);
  void write_part(const PartialExecution&, std::size_t part);
  void write_phase(EventId);
  std::size_t renamed(EventId) const;
  bool is_untouched(const PartialExecution&, std::size_t thread) const;
  bool can_change_phases(std::size_t a, std::size_t b);
  EventId exchanged(EventId, std::size_t a, std::size_t b) const;

  std::vector<Thread> threads_;
  std::vector<std::size_t> thread_of_;  // by event
  std::vector<std::size_t> place_;      // by event: its index in its thread, or its own number
  std::vector<std::size_t> other_parts_;
  std::vector<EventId> barriers_, other_barriers_;
  bool has_parts_ = false;

  std::vector<std::uint64_t> colors_, next_colors_;  // by thread
  std::vector<std::size_t> order_;                   // the order of the threads in the key
  std::vector<std::size_t> rank_;                    // by thread
  std::vector<std::size_t> members_;
  std::vector<std::size_t> phase_of_;     // by event: unmatched, incomplete, or the number of its phase
  std::vector<std::size_t> phase_names_;  // by number: another number, or none
  std::size_t named_ = 0;
  std::string key_;
};

}  // namespace ptxmc
