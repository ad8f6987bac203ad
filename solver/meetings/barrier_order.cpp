#include "solver/meetings/barrier_order.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "model/program/barriers.hpp"
#include "model/program/program_order.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
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
  if (event.kind == EventKind::wait) return !waits_for_groups(event);
  return event.kind == EventKind::barrier && waits_at_barrier(event);
}

bool orders_what_precedes(const Event& arrival) {
  if (arrival.kind == EventKind::barrier) return !arrival.barrier.is_relaxed;
  return arrival.access.sem == Sem::release || arrival.access.sem == Sem::acq_rel;
}

bool orders_what_follows(const Event& wait) {
  return wait.kind == EventKind::barrier || wait.access.sem == Sem::acquire;
}

}  // namespace

void BarrierOrder::Clock::include(std::size_t thread, unsigned end) {
  steps[thread] = std::max(steps[thread], end);
}

void BarrierOrder::Clock::include(const Clock& other) {
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = std::max(steps[i], other.steps[i]);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words[i];
}

/// The step of the end of a thread.
constexpr unsigned after_all_steps = std::numeric_limits<unsigned>::max() - 1;

struct BarrierOrder::Phase {
  /// An arrival that orders the events before it, and those that its completions cover.
  struct Arrival {
    int thread;
    unsigned step;
    const Event* event;
    std::shared_ptr<const Clock> before;  // the arrival's clock; null: no events of other threads
    const StrandCompletions::Numbers* completions = nullptr;
  };

  std::size_t missing = 0;  // arrivals
  std::vector<Arrival> arrivals;
  std::uint64_t time = 0;  // the time of its end; 0: it has not ended
  std::shared_ptr<const Clock> before;
};

/// Lets threads pass their barriers, and waits for phases of mbarriers and for groups. A phase ends when all
/// of its arrivals have happened. An asynchronous operation arrives as soon as its thread starts it, and it
/// is complete when all threads that perform it together have started it.
class BarrierOrder::Passing {
 public:
  /// `is_execution`: in the order of BarrierOrder::executes_before.
  Passing(const EventStructure& structure, const BarrierSchedule& schedule,
          const StrandCompletions& completions, bool is_execution)
      : structure_(structure),
        schedule_(schedule),
        completions_(completions),
        is_execution_(is_execution),
        barriers_(structure.endings.size()),
        next_(structure.endings.size()),
        has_arrived_(structure.endings.size()),
        moments_(structure.endings.size()) {
    for (const Event& event : structure.events)
      if (event.strand != 0) {
        unsigned& last = last_steps_[{event.thread, event.strand}];
        last = std::max(last, event.step);
      }
    for (EventId id = 0; id < static_cast<EventId>(structure.events.size()); ++id) {
      const Event& event = at(id);
      if (!event.condition.is_true() || event.thread == Event::no_thread) continue;
      const bool ends_groups = waits_for_groups(event) && !completions.completions_at(id).empty();
      const bool is_of_phase = (arrives(event) || waits(event)) && phase_number(id) >= 0;
      auto& own = barriers_[static_cast<std::size_t>(event.thread)];
      const bool is_known =
          !own.empty() && at(own.back()).step == event.step && starts_behind_others(own.back());
      if (!ends_groups && !is_of_phase && (is_known || !starts_behind_others(id))) continue;
      own.push_back(id);
      if (arrives(event)) ++phases_[phase_number(id)].missing;
    }
  }

  Moments run() {
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

  /// Whether the event completes an operation that several threads perform together.
  static bool is_joint(const Event& event) {
    return std::ranges::any_of(event.completes,
                               [](const Completion& completed) { return completed.together != nullptr; });
  }

  /// Whether all threads have come to the operations that the event completes.
  bool have_started(const Event& event) const {
    bool result = true;
    for (const Completion& completed : event.completes)
      completed.for_each_strand(event.thread, [&](int other, unsigned strand) {
        const auto thread = static_cast<std::size_t>(other);
        const auto last = last_steps_.find({other, strand});
        const bool is_there = last == last_steps_.end() || next_[thread] == barriers_[thread].size() ||
                              at(barriers_[thread][next_[thread]]).step > last->second;
        result = result && (other == event.thread || is_there);
      });
    return result;
  }

  /// An access of an asynchronous operation that only begins when operations of other threads are complete.
  /// What follows in its thread need not follow these.
  bool starts_behind_others(EventId id) const {
    return at(id).strand != 0 && at(id).is_memory_access() && phase_number(id) < 0 && is_joint(at(id));
  }

  /// Performs the next step of a thread. Returns whether there was one.
  bool go_on(std::size_t thread) {
    const EventId id = barriers_[thread][next_[thread]];
    const Event& event = at(id);
    if (is_joint(event) && !have_started(event)) return false;
    if (starts_behind_others(id)) {
      const auto own = clock_of(thread);
      moments_[thread].push_back({event.step - 1, ++time_, own != nullptr ? own : joined({})});
      ++next_[thread];
      return true;
    }
    if (waits_for_groups(event)) {
      complete(id, thread);
      ++next_[thread];
      return true;
    }
    Phase& phase = phases_[phase_number(id)];
    const bool is_for_grid = event.barrier.group == Barrier::Group::prerequisite;
    if (is_for_grid && !add_ends(phase, event, thread)) return false;
    const bool arrives_now = !has_arrived_[thread];
    if (arrives_now) arrive(phase, id, thread);
    if (waits(event)) {
      if (phase.missing > 0) return arrives_now;
      pass(phase, event, thread);
    }
    ++next_[thread];
    has_arrived_[thread] = false;
    return true;
  }

  /// griddepcontrol.wait: adds the ends of the threads of the prerequisite grid. Returns whether all of them
  /// have passed their barriers.
  bool add_ends(Phase& phase, const Event& wait, std::size_t own) {
    const Program& program = *structure_.program;
    std::vector<Phase::Arrival> ends;
    for (int other = 0; other < static_cast<int>(barriers_.size()); ++other) {
      const auto thread = static_cast<std::size_t>(other);
      if (thread == own || !is_in_group(program, wait.barrier.group, static_cast<int>(own), other)) continue;
      if (next_[thread] < barriers_[thread].size()) return false;
      ends.push_back({other, after_all_steps, nullptr, clock_of(thread)});
    }
    phase.arrivals = std::move(ends);
    return true;
  }

  bool is_executed_at_mbarrier(const Event& event) const {
    return is_execution_ && event.kind != EventKind::barrier;
  }

  void arrive(Phase& phase, EventId id, std::size_t thread) {
    const Event& event = at(id);
    has_arrived_[thread] = true;
    if (!arrives(event)) return;
    --phase.missing;
    if (!is_executed_at_mbarrier(event) && !orders_what_precedes(event)) return;
    if (event.strand == 0)
      phase.arrivals.push_back({event.thread, event.step, &event, clock_of(thread)});
    else  // publishes nothing that precedes its start: PTX ISA 8.7 § 8.9.1.1
      phase.arrivals.push_back({event.thread, 0, &event, nullptr, &completions_.completions_at(id)});
  }

  /// A thread passes a wait for groups.
  void complete(EventId id, std::size_t thread) {
    const Event& event = at(id);
    const std::uint64_t last = moments_[thread].empty() ? 0 : moments_[thread].back().time;
    const auto own = clock_of(thread);
    moments_[thread].push_back(
        {event.step, is_joint(event) ? ++time_ : last,
         joined({{event.thread, event.step, nullptr, own, &completions_.completions_at(id)}})});
  }

  /// What precedes a wait because of arrivals at its phase. An arrival at an mbarrier and a wait synchronize
  /// if each is in the scope of the other: PTX ISA 8.7 § 8.9.4.
  std::shared_ptr<const Clock> before(const Phase& phase, const Event& wait) const {
    if (wait.kind == EventKind::barrier || is_executed_at_mbarrier(wait)) return phase.before;
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
    const bool is_included = own == nullptr || (arrives(event) && orders_what_precedes(event));
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
    const auto result = std::make_shared<Clock>(barriers_.size(), completions_.count());
    std::set<const Clock*> done;
    for (const Phase::Arrival& arrival : arrivals) {
      if (arrival.completions != nullptr)
        for (const std::size_t completion : *arrival.completions) result->complete(completion);
      // A strand has no clock, and its step says nothing about its thread.
      if (arrival.event == nullptr || arrival.event->strand == 0)
        result->include(static_cast<std::size_t>(arrival.thread), arrival.step + 1);  // with the arrival
      if (arrival.before != nullptr && done.insert(arrival.before.get()).second)
        result->include(*arrival.before);
    }
    return result;
  }

  const EventStructure& structure_;
  const BarrierSchedule& schedule_;
  const StrandCompletions& completions_;
  const bool is_execution_;
  std::vector<std::vector<EventId>> barriers_;  // by thread
  std::vector<std::size_t> next_;               // by thread
  std::vector<bool> has_arrived_;               // by thread: at its next barrier
  std::map<int, Phase> phases_;
  std::map<std::pair<int, unsigned>, unsigned> last_steps_;  // by thread and strand
  Moments moments_;
  std::uint64_t time_ = 0;
};

namespace {

std::vector<std::vector<unsigned>> steps_of_tensor_fences(const EventStructure& structure) {
  std::vector<std::vector<unsigned>> result(structure.endings.size());
  for (const Event& event : structure.events)
    if (event.condition.is_true() && event.tensor_fence == TensorFence::after)
      result[static_cast<std::size_t>(event.thread)].push_back(event.step);
  return result;
}

/// Accesses to tensor memory, and to memory that may exist no more.
bool is_ordered_by_execution(const Event& event) {
  return event.may_outlive_cta || (event.is_memory_access() && event.access.space == StateSpace::tensor);
}

}  // namespace

BarrierOrder::BarrierOrder(const EventStructure& structure)
    : BarrierOrder(structure, BarrierSchedule(structure.events.size(), -1)) {}

BarrierOrder::BarrierOrder(const EventStructure& structure, const BarrierSchedule& schedule)
    : structure_(structure),
      completions_(structure),
      tensor_fences_(steps_of_tensor_fences(structure)),
      moments_(Passing(structure, schedule, completions_, false).run()) {
  if (std::ranges::any_of(structure.events, is_ordered_by_execution))
    executed_ = Passing(structure, schedule, completions_, true).run();
  find_fences();
}

/// What its thread executes before this step precedes the event: for accesses to tensor memory see
/// is_before_start.
unsigned BarrierOrder::start_of(const Event& event) const {
  if (event.strand == 0 || !is_tensor_cell(event)) return event.step;
  const auto& fences = tensor_fences_[static_cast<std::size_t>(event.thread)];
  const auto after = std::ranges::lower_bound(fences, event.step);
  return after == fences.begin() ? 0 : *std::prev(after);
}

const BarrierOrder::Moment* BarrierOrder::moment_before(const Moments& all, int thread, unsigned step) {
  const auto& moments = all[static_cast<std::size_t>(thread)];
  const auto after = std::ranges::lower_bound(moments, step, {}, &Moment::step);
  return after == moments.begin() ? nullptr : &*std::prev(after);
}

bool BarrierOrder::is_in(const Clock& clock, EventId id) const {
  const Event& own = event(id);
  if (own.strand == 0) return own.step < clock.steps[static_cast<std::size_t>(own.thread)];
  return std::ranges::any_of(completions_.covering(id),
                             [&](std::size_t completion) { return clock.is_complete(completion); });
}

bool BarrierOrder::precedes(EventId first, EventId second) const { return precedes(first, second, moments_); }

bool BarrierOrder::executes_before(EventId first, EventId second) const {
  return precedes(first, second, executed_.empty() ? moments_ : executed_);
}

bool BarrierOrder::precedes(EventId first, EventId second, const Moments& moments) const {
  const Event &a = event(first), &b = event(second);
  if (b.thread == Event::no_thread) return false;
  if (a.thread == Event::no_thread) return true;
  if (are_of_one_agent(a, b))
    return ptxmc::precedes(structure_.events, first, second) ||
           is_earlier_in_strand(structure_.events, first, second);
  if (is_before_start(a, b) || is_complete_before(a, b).is_true()) return true;
  const Moment* moment = moment_before(moments, b.thread, start_of(b));
  return moment != nullptr && is_in(*moment->before, first);
}

// ---- proxy fences: § 8.9.5 ----

BarrierOrder::FencedPlace BarrierOrder::fenced_place(const Event& access) const {
  std::uint64_t place = 0;
  if (access.location.is_constant()) {
    const std::uint64_t location = access.location.to_u64();
    if (access.access.proxy == Proxy::tensormap)
      place = location;
    else
      for (const Variable& variable : structure_.program->memory)
        if (variable.cta >= 0 && location - variable.location < variable.size())
          place = static_cast<std::uint64_t>(variable.cta) + 1;
  }
  return {access.thread, start_of(access), access.access.proxy, access.access.space, place};
}

/// Finds what precedes the proxy fences before the asynchronous operations.
void BarrierOrder::find_fences() {
  Fences fences;
  for (EventId id = 0; id < static_cast<EventId>(structure_.events.size()); ++id) {
    const Event& fence = event(id);
    if (fence.kind == EventKind::fence && fence.fence.is_proxy_fence && fence.condition.is_true() &&
        fence.fence.restriction == Fence::Restriction::none)
      fences[fence.thread].push_back(id);
  }
  for (const Event& access : structure_.events) {
    if (access.strand == 0 || !access.is_memory_access() || access.access.proxy == Proxy::generic ||
        access.access.space == StateSpace::tensor)
      continue;
    const FencedPlace place = fenced_place(access);
    if (!fenced_.contains(place)) fenced_.emplace(place, fenced_before(access, fences));
  }
}

/// Includes what precedes an event of a thread.
void BarrierOrder::include(Clock& clock, const Event& own) const {
  clock.include(static_cast<std::size_t>(own.thread), start_of(own));
  if (const Moment* moment = last_moment(own)) clock.include(*moment->before);
}

BarrierOrder::Clock BarrierOrder::fenced_before(const Event& access, const Fences& fences) const {
  Clock before(moments_.size(), completions_.count()), result = before;
  include(before, access);
  for (const auto& [thread, own] : fences) {
    const unsigned end = before.steps[static_cast<std::size_t>(thread)];
    // The last fence comes after all that the earlier ones of the thread come after.
    for (const Sem sem : {Sem::weak, Sem::acquire}) {
      const auto last = std::find_if(own.rbegin(), own.rend(), [&](EventId id) {
        const Event& fence = event(id);
        return fence.fence.sem == sem && fence.step < end && is_through(fence, access.access.proxy) &&
               space_covers(fence, access) && range_covers(fence, access).is_true() &&
               is_in_cta_of_fence(*structure_.program, fence, access).is_true();
      });
      if (last == own.rend()) continue;
      if (sem == Sem::weak)
        include(result, event(*last));
      else
        include_releases(result, event(*last), fences);
    }
  }
  return result;
}

/// Whether two proxy fences are morally strong with each other: PTX ISA 8.7 § 8.7.
bool BarrierOrder::are_fences_strong_together(const Event& a, const Event& b) const {
  return a.thread == b.thread ||
         (scope_includes(*structure_.program, a, b) && scope_includes(*structure_.program, b, a));
}

/// Includes what precedes the proxy fences with `.release` before one with `.acquire` (§ 9.7.13.4).
void BarrierOrder::include_releases(Clock& result, const Event& acquire, const Fences& fences) const {
  Clock before(moments_.size(), completions_.count());
  include(before, acquire);
  for (const auto& [thread, own] : fences) {
    const unsigned end = before.steps[static_cast<std::size_t>(thread)];
    const auto last = std::find_if(own.rbegin(), own.rend(), [&](EventId id) {
      const Event& fence = event(id);
      return fence.fence.sem == Sem::release && fence.step < end && fence.fence.to == acquire.fence.to &&
             are_fences_strong_together(fence, acquire);
    });
    if (last != own.rend()) include(result, event(*last));
  }
}

bool BarrierOrder::precedes_through_fence(EventId first, EventId second) const {
  const Event& access = event(second);
  if (event(first).thread == Event::no_thread) return true;
  const auto before = fenced_.find(fenced_place(access));
  return access.strand != 0 && before != fenced_.end() && is_in(before->second, first);
}

bool BarrierOrder::is_needed_by(EventId first, EventId second) const {
  const Event &a = event(first), &b = event(second);
  return are_of_one_agent(a, b) ? a.step <= b.step : precedes(first, second);
}

BarrierOrder::Position BarrierOrder::position(EventId id) const {
  const Event& own = event(id);
  if (own.thread == Event::no_thread) return {0, -1, 0};
  // Also an asynchronous operation: it does not precede what its thread waited for before it started.
  const Moment* moment = moment_before(moments_, own.thread, own.step);
  return {moment == nullptr ? 0 : moment->time, own.thread, own.step};
}

}  // namespace ptxmc
