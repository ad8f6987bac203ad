#include "solver/meetings/barrier_order.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "solver/meetings/barrier_matching.hpp"

namespace ptxmc {

namespace {

/// An arrival at a barrier, or an update of an mbarrier.
bool arrives(const Event& event) {
  if (event.kind == EventKind::barrier) return arrives_at_barrier(event);
  return event.kind == EventKind::write && event.access.mbarrier == MbarrierAccess::operation;
}

/// A thread that does not continue before the end of the phase.
bool waits(const Event& event) {
  return event.kind == EventKind::wait || (event.kind == EventKind::barrier && waits_at_barrier(event));
}

bool orders_what_precedes(const Event& arrival) {
  if (arrival.kind == EventKind::barrier) return !arrival.barrier.is_relaxed;
  return arrival.access.sem == Sem::release || arrival.access.sem == Sem::acq_rel;
}

bool orders_what_follows(const Event& wait) {
  return wait.kind == EventKind::barrier || wait.access.sem == Sem::acquire;
}

}  // namespace

struct BarrierOrder::Phase {
  /// An arrival that orders the events before it.
  struct Arrival {
    int thread;
    unsigned step;
    const Event* event;
    // The arrival's clock; null: no events of other threads.
    std::shared_ptr<const std::vector<unsigned>> before;
  };

  std::size_t missing = 0;  // arrivals
  std::vector<Arrival> arrivals;
  std::uint64_t time = 0;  // the time of its end; 0: it has not ended
  std::shared_ptr<const Clock> before;
};

/// Lets threads pass their barriers, and waits for phases of mbarriers. A phase ends when all of its arrivals
/// have happened.
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
      if ((!arrives(event) && !waits(event)) || !event.condition.is_true() || phase_number(id) < 0) continue;
      barriers_[static_cast<std::size_t>(event.thread)].push_back(id);
      if (arrives(event)) ++phases_[phase_number(id)].missing;
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
    if (waits(event)) {
      if (phase.missing > 0) return arrives_now;
      pass(phase, event, thread);
    }
    ++next_[thread];
    has_arrived_[thread] = false;
    return true;
  }

  void arrive(Phase& phase, const Event& event, std::size_t thread) {
    has_arrived_[thread] = true;
    if (!arrives(event)) return;
    --phase.missing;
    if (orders_what_precedes(event))
      phase.arrivals.push_back({event.thread, event.step, &event, clock_of(thread)});
  }

  /// What precedes a wait because of arrivals at its phase. An arrival at an mbarrier and a wait synchronize
  /// if each is in the scope of the other: PTX ISA 8.7 § 8.9.4.
  std::shared_ptr<const Clock> before(const Phase& phase, const Event& wait) const {
    if (wait.kind == EventKind::barrier) return phase.before;
    if (!orders_what_follows(wait)) return joined({});
    std::vector<Phase::Arrival> seen = phase.arrivals;
    std::erase_if(seen, [&](const Phase::Arrival& arrival) {
      return !scope_includes(*structure_.program, *arrival.event, wait) ||
             !scope_includes(*structure_.program, wait, *arrival.event);
    });
    return seen.size() == phase.arrivals.size() ? phase.before : joined(seen);
  }

  void pass(Phase& phase, const Event& event, std::size_t thread) {
    if (phase.time == 0) {
      phase.time = ++time_;
      phase.before = joined(phase.arrivals);
    }
    const auto own = clock_of(thread);
    const bool is_included = own == nullptr || arrives(event);
    // A thread that arrives, passes another barrier and then waits may wait after the end of the phase.
    const std::uint64_t time =
        moments_[thread].empty() ? phase.time : std::max(phase.time, moments_[thread].back().time);
    const auto others = before(phase, event);
    moments_[thread].push_back({event.step, time,
                                is_included ? others
                                            : joined({{event.thread, event.step, nullptr, own},
                                                      {event.thread, 0, nullptr, others}})});
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
  if (a.strand != 0 || b.strand != 0) return false;  // asynchronous operations do not take part in barriers
  const Moment* moment = last_moment(b);
  return moment != nullptr && a.step < (*moment->before)[static_cast<std::size_t>(a.thread)];
}

bool BarrierOrder::is_needed_by(EventId first, EventId second) const {
  const Event &a = event(first), &b = event(second);
  return are_of_one_agent(a, b) ? a.step <= b.step : precedes(first, second);
}

BarrierOrder::Position BarrierOrder::position(EventId id) const {
  const Event& own = event(id);
  if (own.thread == Event::no_thread) return {0, -1, 0};
  const Moment* moment = last_moment(own);
  return {moment == nullptr ? 0 : moment->time, own.thread, own.step};
}

}  // namespace ptxmc
