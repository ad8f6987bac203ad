#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/proposition.hpp"
#include "solver/partial_execution.hpp"

namespace ptxmc {

/// What partial executions are up to who of interchangeable threads is who (C. N. Ip and D. L. Dill, Better
/// verification through symmetry, 1996).
class ThreadRenaming {
 public:
  /// `shown` are the terms whose values are asked for. The structure outlives it.
  ThreadRenaming(const EventStructure&, const CompiledModel&, std::span<const FinalTerm> shown);

  /// No two threads can change places.
  bool is_trivial() const { return threads_.empty(); }

  /// Equal only for executions that differ by who is who: what is chosen in them, in an order of the threads
  /// that does not depend on their names, as far as what is chosen tells them apart.
  const std::string& key(const PartialExecution&);

  /// The sources of a part that have to be tried, each with how many of them it stands for: those in threads
  /// of which nothing is chosen yet, and which can change places whoever has met whom.
  std::vector<std::pair<EventId, std::uint64_t>> representatives(const PartialExecution&, std::size_t part,
                                                                 const BitSet& sources);

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t unmatched = 0, unfilled = 1, first_phase = 2;
  /// A thread that can change places with others of its group.
  struct Thread {
    std::size_t group = 0;
    std::vector<EventId> events;     // in program order
    std::vector<std::size_t> parts;  // of its reads, in this order
    std::vector<EventId> barriers;   // of the events
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
  std::vector<std::size_t> place_;      // by event: in its thread, or its number
  std::vector<std::size_t> other_parts_;
  std::vector<EventId> barriers_, other_barriers_;
  bool has_parts_ = false;

  std::vector<std::uint64_t> colors_, next_colors_;  // by thread
  std::vector<std::size_t> order_;                   // places of the threads in the key
  std::vector<std::size_t> rank_;                    // by thread
  std::vector<std::size_t> members_;
  std::vector<std::size_t> phase_of_;     // by event: unmatched, unfilled, or the number of its phase
  std::vector<std::size_t> phase_names_;  // by number: another number, or none
  std::size_t named_ = 0;
  std::string key_;
};

}  // namespace ptxmc
