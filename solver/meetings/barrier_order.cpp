#include "solver/meetings/barrier_order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/program/program_order.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

struct BarrierOrder::Phase {
  /// An arrival that orders the events before it.
  struct Arrival {
    int thread;
    unsigned step;
    // The arrival's clock; null: no events of other threads.
    std::shared_ptr<const std::vector<unsigned>> before;
  };

  std::size_t missing = 0;  // arrivals
  std::vector<Arrival> arrivals;
  std::uint64_t time = 0;  // the time of its end; 0: it has not ended
  std::shared_ptr<const Clock> before;
};

/// Lets threads pass their barriers. A phase ends when all of its arrivals have happened.
class BarrierOrder::Passing {
 public:
  Passing(const EventStructure& structure, const BarrierSchedule& schedule)
      : structure_(structure),
        schedule_(schedule),
        barriers_(structure.endings.size()),
        next_(structure.endings.size()),
        has_arrived_(structure.endings.size()),
        moments_(structure.endings.size()) {
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const Event& event = at(id);
      if (event.kind != EventKind::barrier || !event.condition.is_true() || phase_number(id) < 0) continue;
      barriers_[static_cast<std::size_t>(event.thread)].push_back(id);
      if (arrives_at_barrier(event)) ++phases_[phase_number(id)].missing;
    }
  }

  std::vector<std::vector<Moment>> run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t thread = 0; thread < barriers_.size(); ++thread)
        while (next_[thread] < barriers_[thread].size() && go_on(thread)) changed = true;
    }
    return std::move(moments_);
  }

 private:
  const Event& at(EventId id) const { return structure_.events[static_cast<std::size_t>(id)]; }
  int phase_number(EventId id) const { return schedule_[static_cast<std::size_t>(id)]; }

  std::shared_ptr<const Clock> clock_of(std::size_t thread) const {
    return moments_[thread].empty() ? nullptr : moments_[thread].back().before;
  }

  /// Performs the next step of a thread. Returns whether there was one.
  bool go_on(std::size_t thread) {
    const EventId id = barriers_[thread][next_[thread]];
    const Event& event = at(id);
    Phase& phase = phases_[phase_number(id)];
    const bool arrives_now = !has_arrived_[thread];
    if (arrives_now) arrive(phase, event, thread);
    if (waits_at_barrier(event)) {
      if (phase.missing > 0) return arrives_now;
      pass(phase, event, thread);
    }
    ++next_[thread];
    has_arrived_[thread] = false;
    return true;
  }

  void arrive(Phase& phase, const Event& event, std::size_t thread) {
    has_arrived_[thread] = true;
    if (!arrives_at_barrier(event)) return;
    --phase.missing;
    if (!event.barrier.is_relaxed) phase.arrivals.push_back({event.thread, event.step, clock_of(thread)});
  }

  void pass(Phase& phase, const Event& event, std::size_t thread) {
    if (phase.time == 0) {
      phase.time = ++time_;
      phase.before = joined(phase.arrivals);
    }
    const auto own = clock_of(thread);
    const bool is_included = own == nullptr || arrives_at_barrier(event);
    // A thread that arrives, passes another barrier and then waits may wait after the end of the phase.
    const std::uint64_t time =
        moments_[thread].empty() ? phase.time : std::max(phase.time, moments_[thread].back().time);
    moments_[thread].push_back(
        {event.step, time,
         is_included ? phase.before
                     : joined({{event.thread, event.step, own}, {event.thread, 0, phase.before}})});
  }

  std::shared_ptr<const Clock> joined(const std::vector<Phase::Arrival>& arrivals) const {
    const auto result = std::make_shared<Clock>(barriers_.size(), 0);
    std::set<const Clock*> done;
    for (const Phase::Arrival& arrival : arrivals) {
      unsigned& own = (*result)[static_cast<std::size_t>(arrival.thread)];
      own = std::max(own, arrival.step + 1);  // including the arrival
      if (arrival.before == nullptr || !done.insert(arrival.before.get()).second) continue;
      for (std::size_t i = 0; i < result->size(); ++i)
        (*result)[i] = std::max((*result)[i], (*arrival.before)[i]);
    }
    return result;
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  std::vector<std::vector<EventId>> barriers_;  // by thread
  std::vector<std::size_t> next_;               // by thread
  std::vector<bool> has_arrived_;               // by thread: at its next barrier
  std::map<int, Phase> phases_;
  std::vector<std::vector<Moment>> moments_;
  std::uint64_t time_ = 0;
};

BarrierOrder::BarrierOrder(const EventStructure& structure)
    : structure_(structure), moments_(structure.endings.size()) {}

BarrierOrder::BarrierOrder(const EventStructure& structure, const BarrierSchedule& schedule)
    : structure_(structure), moments_(Passing(structure, schedule).run()) {}

const BarrierOrder::Moment* BarrierOrder::last_moment(const Event& event) const {
  const auto& moments = moments_[static_cast<std::size_t>(event.thread)];
  const auto after = std::ranges::lower_bound(moments, event.step, {}, &Moment::step);
  return after == moments.begin() ? nullptr : &*std::prev(after);
}

bool BarrierOrder::precedes(EventId first, EventId second) const {
  const Event &a = event(first), &b = event(second);
  if (b.thread == Event::no_thread) return false;
  if (a.thread == Event::no_thread) return true;
  if (a.thread == b.thread) return ptxmc::precedes(structure_.events, first, second);
  const Moment* moment = last_moment(b);
  return moment != nullptr && a.step < (*moment->before)[static_cast<std::size_t>(a.thread)];
}

bool BarrierOrder::is_needed_by(EventId first, EventId second) const {
  const Event &a = event(first), &b = event(second);
  return a.thread == b.thread ? a.step <= b.step : precedes(first, second);
}

BarrierOrder::Position BarrierOrder::position(EventId id) const {
  const Event& own = event(id);
  if (own.thread == Event::no_thread) return {0, -1, 0};
  const Moment* moment = last_moment(own);
  return {moment == nullptr ? 0 : moment->time, own.thread, own.step};
}

}  // namespace ptxmc
