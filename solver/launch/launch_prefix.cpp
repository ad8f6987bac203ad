#include "solver/launch/launch_prefix.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "model/program/restriction.hpp"

namespace ptxmc {

Prefix whole(const Execution& execution) {
  Prefix result;
  result.execution = execution;
  for (std::size_t i = 0; i < execution.events.size(); ++i) result.numbers.push_back(static_cast<EventId>(i));
  return result;
}

namespace {

/// Whether a thread exits. One that goes on behind a trap does too.
bool does_exit(const Execution& execution, int thread) {
  if (execution.endings.empty()) return false;
  const auto& ending = execution.endings[static_cast<std::size_t>(thread)];
  return ending == Ending::Kind::completed || ending == Ending::Kind::trapped;
}

/// By phase of a barrier: the awaited threads without an arrival in the phase, which have exited before its
/// end. With a thread count these are threads of the warps that have arrived, unless the phase is misused; a
/// warp may arrive several times, and a thread without all of these arrivals has exited.
std::map<int, std::set<int>> exited_before_end(const Execution& execution) {
  std::map<int, std::vector<EventId>> arrivals;  // by phase
  for (EventId id = 0; id < static_cast<EventId>(execution.barrier_phase.size()); ++id)
    if (const int phase = execution.barrier_phase[static_cast<std::size_t>(id)];
        phase != -1 && arrives_at_barrier(execution.events[static_cast<std::size_t>(id)]))
      arrivals[phase].push_back(id);
  std::map<int, std::set<int>> result;
  for (const auto& [phase, events] : arrivals) {
    std::map<int, int> arrived;  // by thread: how often
    bool has_count = false;
    for (const EventId id : events) {
      const Event& event = execution.events[static_cast<std::size_t>(id)];
      ++arrived[event.thread];
      has_count = has_count || event.barrier.count;
    }
    const Event& first = execution.events[static_cast<std::size_t>(events.front())];
    for (const std::vector<int>& unit : units_of(*execution.program, first)) {
      int most = 0;
      for (const int thread : unit) most = std::max(most, arrived[thread]);
      if (most == 0) {
        if (phase >= 0 && has_count) continue;
        most = 1;
      }
      for (const int thread : unit)
        if (arrived[thread] < most && (phase >= 0 || does_exit(execution, thread)))
          result[phase].insert(thread);
    }
  }
  return result;
}

}  // namespace

namespace {

/// Where the threads and the asynchronous operations of a prefix end. An asynchronous operation that has
/// started may end anywhere, and does not end its thread.
class Cut {
 public:
  explicit Cut(const Execution& execution) : execution_(execution), events_(execution.events) {
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
      if (at(id).strand != 0) strands_[{at(id).thread, at(id).strand}].push_back(id);
  }

  bool is_left_out(EventId id) const {
    const Event& event = at(id);
    if (event.thread == Event::no_thread) return false;
    if (is_left_out(event.thread, event.step)) return true;
    const auto strand = strand_ends_.find({event.thread, event.strand});
    return strand != strand_ends_.end() && id >= strand->second;
  }

  bool is_left_out(int thread, unsigned step) const {
    const auto end = ends_.find(thread);
    return end != ends_.end() && step >= end->second;
  }

  /// Leaves out the event, and with it those after it in its thread or its asynchronous operation.
  void leave_out(EventId id) {
    const Event& event = at(id);
    if (event.strand == 0) return end_thread(event.thread, event.step);
    EventId& end = strand_ends_.try_emplace({event.thread, event.strand}, id + 1).first->second;
    if (id >= end) return;
    end = id;
    changed_ = true;
  }

  void end_thread(int thread, unsigned step) {
    const auto [end, is_new] = ends_.try_emplace(thread, step);
    changed_ = changed_ || is_new || step < end->second;
    end->second = std::min(end->second, step);
  }

  /// Leaves out reads from events that are left out, and waits for them. Returns whether anything changed
  /// since the last call.
  bool follow() {
    for (const ReadsFrom& source : execution_.reads_from)
      if (is_left_out(source.write)) leave_out(source.read);
    for (EventId id = 0; id < static_cast<EventId>(events_.size()); ++id)
      if (!at(id).completes.empty() && waits_for_left_out(id)) leave_out(id);
    return std::exchange(changed_, false);
  }

  bool has_end(int thread) const { return ends_.contains(thread); }
  const std::map<int, unsigned>& ends() const { return ends_; }

 private:
  const Event& at(EventId id) const { return events_[static_cast<std::size_t>(id)]; }

  bool waits_for_left_out(EventId id) const {
    return std::ranges::any_of(at(id).completes, [&](const Completion& completion) {
      bool waits = false;
      completion.for_each_strand(at(id).thread, [&](int thread, unsigned number) {
        const auto strand = strands_.find({thread, number});
        waits = waits || (strand != strands_.end() && std::ranges::any_of(strand->second, [&](EventId own) {
                            return is_left_out(own) && !is_complete_before(at(own), at(id)).is_false();
                          }));
      });
      return waits;
    });
  }

  const Execution& execution_;
  const std::vector<Event>& events_;
  std::map<std::pair<int, unsigned>, std::vector<EventId>> strands_;
  std::map<int, unsigned> ends_;                             // by thread: the first step left out
  std::map<std::pair<int, unsigned>, EventId> strand_ends_;  // the first event left out
  bool changed_ = false;
};

}  // namespace

Prefix before(const Execution& execution, const std::vector<bool>& cut,
              const std::map<int, unsigned>& stopped, std::span<const ExchangeOfThread> exchanges) {
  Prefix result;
  const auto& events = execution.events;
  const auto count = static_cast<EventId>(execution.barrier_phase.size());
  const auto phase_of = [&](EventId id) { return execution.barrier_phase[static_cast<std::size_t>(id)]; };
  Cut left_out(execution);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (cut[i] && events[i].thread != Event::no_thread) left_out.leave_out(static_cast<EventId>(i));
  for (const auto& [thread, step] : stopped) left_out.end_thread(thread, step);
  std::set<int> open;  // incomplete phases
  const auto exits = exited_before_end(execution);
  const auto does_not_exit = [&](int thread) { return left_out.has_end(thread); };
  const auto is_incomplete = [&](const ExchangeOfThread& exchange) {
    return std::ranges::any_of(exchange.exited, does_not_exit) ||
           std::ranges::any_of(exchange.with, [&](const auto& arrival) {
             return left_out.is_left_out(arrival.first, arrival.second);
           });
  };
  do {
    for (EventId id = 0; id < count; ++id)
      if (phase_of(id) != -1 && left_out.is_left_out(id)) open.insert(phase_of(id));
    for (const auto& [phase, threads] : exits)
      if (std::ranges::any_of(threads, does_not_exit)) open.insert(phase);
    for (EventId id = 0; id < count; ++id) {
      const Event& event = events[static_cast<std::size_t>(id)];
      if (!open.contains(phase_of(id)) || !waits_at_barrier(event)) continue;
      left_out.end_thread(event.thread, event.step + 1);
    }
    // The events of an instruction that is an exchange (ldmatrix) follow the exchange.
    for (const ExchangeOfThread& exchange : exchanges)
      if (!left_out.is_left_out(exchange.thread, exchange.step) && is_incomplete(exchange))
        left_out.end_thread(exchange.thread, exchange.step);
  } while (left_out.follow());
  std::vector<bool> kept;
  for (EventId id = 0; id < static_cast<EventId>(events.size()); ++id)
    kept.push_back(!left_out.is_left_out(id));
  result.execution = restriction(execution, kept, result.numbers);
  result.ends = left_out.ends();
  for (const auto& [thread, step] : result.ends)
    if (!result.execution.endings.empty()) {
      result.execution.endings[static_cast<std::size_t>(thread)].reset();
      result.execution.undefined_uses.erase(thread);
    }
  for (int& phase : result.execution.barrier_phase)
    if (open.contains(phase)) phase = -1;
  return result;
}

namespace {

/// The events that happen before some events, as far as these need them.
class Needed {
 public:
  explicit Needed(const Execution& execution)
      : execution_(execution), exits_(exited_before_end(execution)), needed_(execution.events.size()) {
    for (EventId id = 0; id < static_cast<EventId>(needed_.size()); ++id)
      if (at(id).thread != Event::no_thread) agents_[{at(id).thread, at(id).strand}].push_back(id);
    sources_.resize(needed_.size());
    for (const ReadsFrom& source : execution.reads_from)
      sources_[static_cast<std::size_t>(source.read)].push_back(source.write);
    for (EventId id = 0; id < static_cast<EventId>(execution.barrier_phase.size()); ++id)
      if (phase_of(id) >= 0) members_[phase_of(id)].push_back(id);
  }

  std::vector<bool> by(std::span<const EventId> targets) {
    for (const EventId id : targets) need(id);
    while (!work_.empty()) {
      const EventId id = work_.back();
      work_.pop_back();
      need_all_before(id);
    }
    return std::move(needed_);
  }

 private:
  const Event& at(EventId id) const { return execution_.events[static_cast<std::size_t>(id)]; }
  int phase_of(EventId id) const { return execution_.barrier_phase[static_cast<std::size_t>(id)]; }

  void need(EventId id) {
    if (needed_[static_cast<std::size_t>(id)]) return;
    needed_[static_cast<std::size_t>(id)] = true;
    work_.push_back(id);
  }

  void need_all(int thread, unsigned strand) {
    for (const EventId id : agents_[{thread, strand}]) need(id);
  }

  void need_all_before(EventId id) {
    const Event& event = at(id);
    if (event.thread == Event::no_thread) return;
    for (const EventId own : agents_[{event.thread, 0U}])
      if (at(own).step < event.step || (event.strand == 0 && at(own).step == event.step)) need(own);
    if (event.strand != 0)
      for (const EventId own : agents_[{event.thread, event.strand}])
        if (own < id) need(own);
    for (const EventId source : sources_[static_cast<std::size_t>(id)]) need(source);
    for (const Completion& completion : event.completes)
      completion.for_each_strand(event.thread,
                                 [&](int thread, unsigned strand) { need_all(thread, strand); });
    for (const unsigned strand : event.started) need_all(event.thread, strand);
    if (waits_at_barrier(event)) need_phase(event, phase_of(id));
  }

  void need_phase(const Event& event, int phase) {
    if (event.barrier.group == Barrier::Group::prerequisite)
      for (EventId id = 0; id < static_cast<EventId>(needed_.size()); ++id)
        if (at(id).thread != event.thread) need(id);
    if (phase < 0) return;
    for (const EventId id : members_[phase]) need(id);
    if (const auto exits = exits_.find(phase); exits != exits_.end())
      for (const int thread : exits->second) need_all(thread, 0);
  }

  const Execution& execution_;
  const std::map<int, std::set<int>> exits_;
  std::map<std::pair<int, unsigned>, std::vector<EventId>> agents_;  // by thread and strand
  std::vector<std::vector<EventId>> sources_;                        // by read
  std::map<int, std::vector<EventId>> members_;                      // by phase
  std::vector<bool> needed_;
  std::vector<EventId> work_;
};

/// Removes the initial writes of memory that no event of the prefix accesses.
void remove_unused_initial_writes(Prefix& prefix) {
  const auto& events = prefix.execution.events;
  std::map<std::uint64_t, std::uint64_t> accessed;  // by the first byte: the size of the longest access
  for (const Event& event : events)
    if (event.is_memory_access() && event.kind != EventKind::initial_write) {
      std::uint64_t& size = accessed[event.location.to_u64()];
      size = std::max<std::uint64_t>(size, event.size);
    }
  std::uint64_t longest = 0;
  for (const auto& [first, size] : accessed) longest = std::max(longest, size);
  const auto is_accessed = [&](const Event& initial) {
    const std::uint64_t first = initial.location.to_u64();
    for (auto place = accessed.lower_bound(first - std::min(first, longest));
         place != accessed.end() && place->first < first + initial.size; ++place)
      if (place->first + place->second > first) return true;
    return false;
  };
  std::vector<bool> kept;
  for (const Event& event : events)
    kept.push_back(event.kind != EventKind::initial_write || is_accessed(event));
  std::vector<EventId> numbers;
  prefix.execution = restriction(prefix.execution, kept, numbers);
  for (EventId& number : prefix.numbers)
    if (number >= 0) number = numbers[static_cast<std::size_t>(number)];
}

}  // namespace

Prefix up_to(const Execution& execution, std::span<const EventId> targets) {
  std::vector<bool> cut = Needed(execution).by(targets);
  cut.flip();
  Prefix result = before(execution, cut, {});
  remove_unused_initial_writes(result);
  return result;
}

}  // namespace ptxmc
