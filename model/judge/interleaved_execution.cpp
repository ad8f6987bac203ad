#include "model/judge/interleaved_execution.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "model/judge/concrete_relations.hpp"
#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "model/relations/base_sets.hpp"

// Why the models with the definitions of ptx-8.7 accept an interleaving. Let `<` be the order of the places.
// Only barriers that wait in the same phase have equal places.
//
// - Each step of base causality order (po, synchronizes, starts, completes, strand_order) leads from a place
//   to a later one, or to a barrier of the same place: program order, the order of a strand, starts and
//   completions are checked; a barrier that waits is behind the arrivals with which it synchronizes; a
//   pattern synchronizes along program order and reads-from, and a read is behind its source; fence_sc is
//   oriented along `<`. A path that leaves a barrier for an event of another kind leads to a later place. So
//   base causality order, and with it causality order, relates accesses and fences along `<`. The order of
//   tensor memory consists of the same steps, of reads-from, and of `pipelined` (checked with completions).
// - co consists of initial writes, which are first, of write_order, which is oriented along `<`, and of
//   causality order. So co is along `<`.
// - fr is along `<`: a read takes the last write before it of each byte, and co is along `<`.
//
// All relations in the axioms coherence, fence_sc, no_thin_air (dependencies are checked), sc_per_location
// and causality are therefore along `<`, which has no cycle through an access or a fence. rmw_atomicity holds
// since no write of the same bytes comes between the halves of a read-modify-write (checked). A violation of
// single_copy_atomicity has a read that takes bytes from w and from a later write, which overlaps the read
// completely and is morally strong with it. The later write is not initial. Unless one of the two is an
// access of an asynchronous copy, which fits every size (checked), the later write has all bytes of the read,
// which then takes nothing from w.

namespace ptxmc {

namespace {

/// By phase: the last moment of an arrival.
std::map<int, std::size_t> ends_of_phases(const Execution& execution, std::span<const std::size_t> moments) {
  std::map<int, std::size_t> result;
  for (std::size_t i = 0; i < execution.barrier_phase.size(); ++i) {
    const int phase = execution.barrier_phase[i];
    if (phase < 0 || !arrives_at_barrier(execution.events[i])) continue;
    std::size_t& end = result[phase];
    end = std::max(end, moments[i]);
  }
  return result;
}

class InterleavingCheck {
 public:
  InterleavingCheck(const Execution& execution, std::span<const std::size_t> moments)
      : execution_(execution),
        events_(execution.events),
        places_(places_in_time(execution, moments)),
        order_(in_time(places_)) {}

  bool holds() {
    return is_order() && follows_program_order() && follows_dependencies() && follows_completions() &&
           find_sources() && reads_take_last_writes() && malformed_parts(execution_).empty();
  }

 private:
  const Event& at(EventId id) const { return events_[index(id)]; }
  bool is_before(EventId a, EventId b) const { return places_[index(a)] < places_[index(b)]; }

  /// Whether initial writes are first, and only barriers share places.
  bool is_order() const {
    for (std::size_t i = 1; i < order_.size(); ++i) {
      const Event &last = at(order_[i - 1]), &next = at(order_[i]);
      if (is_initial(next) && !is_initial(last)) return false;
      const bool are_barriers = last.kind == EventKind::barrier && next.kind == EventKind::barrier;
      if (!is_before(order_[i - 1], order_[i]) && !are_barriers) return false;
    }
    return std::ranges::none_of(events_, [](const Event& event) {
      return event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::prerequisite;
    });
  }

  /// Checks program order, strands, and their starts. The events of each thread are in program order.
  bool follows_program_order() const {
    std::map<std::pair<int, unsigned>, EventId> last_of_strand;
    int thread = Event::no_thread;
    unsigned step = 0;
    std::size_t before = 0, reached = 0;  // the last place of earlier steps, and of all steps so far
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
      const Event& event = at(id);
      if (event.thread == Event::no_thread) continue;
      if (event.thread != thread) {
        thread = event.thread;
        step = event.step;
        before = reached = 0;
      }
      if (event.step < step) return false;
      if (event.step > step) before = reached;
      step = event.step;
      if (before != 0 && places_[index(id)] <= before) return false;
      if (event.strand != 0) {
        const auto [last, is_first] = last_of_strand.try_emplace({thread, event.strand}, id);
        if (!is_first && !is_before(last->second, id)) return false;
        last->second = id;
        continue;
      }
      reached = std::max(reached, places_[index(id)]);
      if (!follows_within_instruction(id)) return false;
    }
    return true;
  }

  /// Whether the halves of a read-modify-write, and the read and the success of a wait, are in this order.
  bool follows_within_instruction(EventId id) const {
    const auto is_apart = [&](EventId other) {
      return !precedes(events_, id, other) || is_before(id, other);
    };
    for (EventId other = id + 1; other < static_cast<EventId>(events_.size()); ++other) {
      if (at(other).thread != at(id).thread || at(other).step != at(id).step) break;
      if (!is_apart(other)) return false;
    }
    for (EventId other = id - 1; other >= 0; --other) {
      if (at(other).thread != at(id).thread || at(other).step != at(id).step) break;
      if (!is_apart(other)) return false;
    }
    return true;
  }

  bool follows_dependencies() const {
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
      const Event& event = at(id);
      for (const auto* reads :
           {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
        for (const EventId read : *reads)
          if (!is_before(read, id)) return false;
    }
    return true;
  }

  /// An event follows the operations that it waits for. tcgen05.fence::before_thread_sync also follows those
  /// that the thread has started: then tensor_memory_order is along `<`, too.
  bool follows_completions() const {
    std::map<std::pair<int, unsigned>, std::vector<EventId>> strands;
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
      if (at(id).strand != 0) strands[{at(id).thread, at(id).strand}].push_back(id);
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id) {
      const Event& event = at(id);
      bool follows_all = true;
      const auto follow = [&](int thread, unsigned number) {
        for (const EventId own : strands[{thread, number}]) {
          const bool precedes =
              !is_complete_before(at(own), event).is_false() || is_started_before(at(own), event);
          follows_all = follows_all && (!precedes || is_before(own, id));
        }
      };
      for (const Completion& completion : event.completes) completion.for_each_strand(event.thread, follow);
      for (const unsigned strand : event.started) follow(event.thread, strand);
      if (!follows_all) return false;
    }
    return true;
  }

  /// Notes the source of each byte of each read.
  bool find_sources() {
    sources_.resize(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (events_[i].is_read()) sources_[i].resize(events_[i].size, -1);
    for (const ReadsFrom& source : execution_.reads_from) {
      auto& bytes = sources_[index(source.read)];
      const std::uint64_t first = source.first - at(source.read).location.to_u64();
      if (first > bytes.size() || source.count > bytes.size() - first) return false;
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(first), source.count, source.write);
    }
    return true;
  }

  bool reads_take_last_writes() {
    for (const EventId id : order_) {
      const Event& event = at(id);
      if (event.is_read() ? !takes_last_writes(id) : event.is_write() && !follows_its_read(id)) return false;
      if (event.is_write())
        for (unsigned i = 0; i < event.size; ++i) last_[event.location.to_u64() + i] = id;
    }
    return true;
  }

  EventId last_write(std::uint64_t byte) const {
    const auto found = last_.find(byte);
    return found == last_.end() ? -1 : found->second;
  }

  bool takes_last_writes(EventId id) const {
    const auto& sources = sources_[index(id)];
    for (std::size_t i = 0; i < sources.size(); ++i)
      if (sources[i] < 0 || sources[i] != last_write(at(id).location.to_u64() + i)) return false;
    return is_single_copy(id);
  }

  /// Whether the sources of a read cannot violate single_copy_atomicity.
  bool is_single_copy(EventId id) const {
    const Event& read = at(id);
    const auto& sources = sources_[index(id)];
    const auto is_other = [&](EventId source) { return source != sources.front(); };
    const auto may_be_torn = [&](EventId source) {
      const Event& write = at(source);
      const bool fits_every_size = read.access.is_copy || write.access.is_copy;
      const bool may_be_morally_strong = are_of_one_agent(write, read) || (!is_weak(write) && !is_weak(read));
      return !is_initial(write) && fits_every_size && may_be_morally_strong;
    };
    return std::ranges::none_of(sources, is_other) || std::ranges::none_of(sources, may_be_torn);
  }

  /// Whether a write that belongs to a read-modify-write replaces what its read has taken.
  bool follows_its_read(EventId id) const {
    const Event& write = at(id);
    if (write.rmw < 0) return true;
    const Event& read = at(write.rmw);
    if (read.size != write.size || !identical(read.location, write.location)) return false;
    for (unsigned i = 0; i < write.size; ++i)
      if (last_write(write.location.to_u64() + i) != sources_[index(write.rmw)][i]) return false;
    return true;
  }

  const Execution& execution_;
  const std::vector<Event>& events_;
  const std::vector<std::size_t> places_;
  const std::vector<EventId> order_;
  std::vector<std::vector<EventId>> sources_;        // by read, then byte; -1: none
  std::unordered_map<std::uint64_t, EventId> last_;  // by byte of memory
};

}  // namespace

std::vector<std::size_t> places_in_time(const Execution& execution, std::span<const std::size_t> moments) {
  const auto ends = ends_of_phases(execution, moments);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const int phase = i < execution.barrier_phase.size() ? execution.barrier_phase[i] : -1;
    const auto end = phase >= 0 && waits_at_barrier(execution.events[i]) ? ends.find(phase) : ends.end();
    const std::size_t own = 2 * moments[i];
    result.push_back(end == ends.end() ? own : std::max(own, 2 * end->second + 1));
  }
  return result;
}

std::vector<EventId> in_time(const std::vector<std::size_t>& places) {
  std::vector<EventId> result(places.size());
  std::iota(result.begin(), result.end(), 0);
  std::ranges::stable_sort(result, {}, [&](EventId id) { return places[index(id)]; });
  return result;
}

namespace {

class OrientedInTime : public ConcreteRelations {
 public:
  OrientedInTime(Execution& execution, std::span<const std::size_t> moments)
      : ConcreteRelations(execution), execution_(execution), moments_(moments) {}

  BitMatrix orientations(const std::string& name, const BitMatrix& related) {
    const BitMatrix pairs = (related | related.inverse()) - BitMatrix::identity(universe());
    BitMatrix result = empty_relation();
    Pairs& chosen = execution_.choices[name];
    for (const auto& [a, b] : pairs.pairs()) {
      if (moments_[a] >= moments_[b]) continue;
      result.insert(a, b);
      chosen.emplace_back(static_cast<EventId>(a), static_cast<EventId>(b));
    }
    return result;
  }

 private:
  Execution& execution_;
  const std::span<const std::size_t> moments_;
};

}  // namespace

void orient_in_time(const cat::Model& model, Execution& execution, std::span<const std::size_t> moments) {
  OrientedInTime relations(execution, moments);
  cat::evaluate(model, relations);
}

bool is_interleaving(const Execution& execution, std::span<const std::size_t> moments) {
  return InterleavingCheck(execution, moments).holds();
}

}  // namespace ptxmc
