#include "solver/meetings/warp_arrivals.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "semantics/language/diagnostic.hpp"
#include "solver/meetings/divergence.hpp"

namespace ptxmc {

namespace {

/// An event that may be the n-th arrival of its thread at a barrier.
struct ThreadArrival {
  std::size_t place;  // index among the events
  Bits holds;         // width 1: it happens and is the n-th arrival
};

/// The n-th arrival of a warp at one barrier.
struct WarpArrival {
  std::size_t warp = 0;
  std::size_t number = 0;  // n
  std::vector<ThreadArrival> threads;
  std::vector<std::pair<int, Bits>> missing;  // threads that may be missing because they have exited
  Bits waits = Bits::boolean(false);          // width 1: some thread of the warp waits
  Bits arrived;
  Bits complete;
  Bits phase;
};

/// The arrivals at one barrier of one CTA, all with the same count.
class CountedBarrier {
 public:
  CountedBarrier(const EventStructure& structure, TermGraph& graph, const std::vector<Bits>& diverges,
                 const std::vector<EventId>& events, BarrierPhases& phases)
      : structure_(structure), graph_(graph), diverges_(diverges), events_(events), phases_(phases) {}

  void choose(const std::vector<std::size_t>& members, std::vector<Bits>& phase) {
    needed_ = event(members.front()).barrier.count->to_u64();
    const auto warps = threads_of_warps(*structure_.program);
    for (std::size_t warp = 0; warp < warps.size(); ++warp) add_arrivals(warp, warps[warp], members);
    const unsigned width = std::bit_width(arrivals_.size()) + 1U;
    for (WarpArrival& arrival : arrivals_) {
      arrival.phase = graph_.variable(width, "phase");
      arrival.complete = graph_.variable(1, "phase complete");
      phases_.constraints.push_back(implies(arrival.complete, arrival.arrived));
      phases_.constraints.push_back(less_unsigned(arrival.phase, Bits(width, arrivals_.size())));
    }
    for (const WarpArrival& arrival : arrivals_) constrain(arrival);
    for (const std::size_t place : members) assign(place, width, phase);
  }

 private:
  const Event& event(std::size_t place) const { return structure_.events[events_[place]]; }

  void add_arrivals(std::size_t warp, const std::vector<int>& threads,
                    const std::vector<std::size_t>& members) {
    std::map<int, std::vector<ThreadArrival>> by_thread;  // `holds` is the number of earlier arrivals
    std::size_t most = 0;
    for (const std::size_t place : members) {
      if (std::find(threads.begin(), threads.end(), event(place).thread) == threads.end()) continue;
      auto& own = by_thread[event(place).thread];
      Bits before(32, 0);
      if (!own.empty()) before = own.back().holds + event(own.back().place).condition.zero_extend(32);
      own.push_back({place, before});
      most = std::max(most, own.size());
    }
    for (std::size_t n = 0; n < most; ++n) {
      WarpArrival arrival;
      arrival.warp = warp;
      arrival.number = n;
      Bits any = Bits::boolean(false), all = Bits::boolean(true);
      for (const int thread : threads) {
        Bits there = Bits::boolean(false);
        for (const auto& [place, before] : by_thread[thread]) {
          const Bits holds = event(place).condition & equal(before, Bits(32, n));
          if (holds.is_false()) continue;
          arrival.threads.push_back({place, holds});
          there = there | holds;
          all = all & ~(holds & diverges_[events_[place]]);
          if (event(place).barrier.kind != Barrier::Kind::arrive) arrival.waits = arrival.waits | holds;
        }
        any = any | there;
        if (!there.is_true()) arrival.missing.emplace_back(thread, ~there);
        all = all & (there | has_exited(structure_, thread));
      }
      arrival.arrived = any & all;
      if (!arrival.arrived.is_false()) arrivals_.push_back(std::move(arrival));
    }
  }

  /// A phase is complete with exactly this number of arrivals; the arrivals without a complete phase are
  /// fewer. The arrivals of a warp are in order, and an arrival after one that waits is in a later phase.
  void constrain(const WarpArrival& arrival) {
    constexpr unsigned width = 32;
    const Bits weight(width, lanes_per_warp);
    const Bits needed(width, needed_);
    Bits together = Bits(width, 0), left = Bits(width, 0);
    for (const WarpArrival& other : arrivals_) {
      const Bits meets = other.complete & equal(other.phase, arrival.phase);
      together = together + ite(meets, weight, Bits(width, 0));
      left = left + ite(other.arrived & ~other.complete, weight, Bits(width, 0));
      if (other.warp != arrival.warp || other.number <= arrival.number) continue;
      const Bits order = ite(arrival.waits, less_unsigned(arrival.phase, other.phase),
                             less_equal_unsigned(arrival.phase, other.phase));
      phases_.constraints.push_back(implies(other.complete, arrival.complete & order));
    }
    phases_.constraints.push_back(implies(arrival.complete, equal(together, needed)));
    phases_.constraints.push_back(implies(arrival.arrived & ~arrival.complete, less_unsigned(left, needed)));
  }

  void assign(std::size_t place, unsigned width, std::vector<Bits>& phase) {
    Bits complete = Bits::boolean(false);
    phase[place] = Bits(width, 0);
    for (const WarpArrival& arrival : arrivals_)
      for (const auto& [member, holds] : arrival.threads) {
        if (member != place) continue;
        complete = complete | (holds & arrival.complete);
        phase[place] = ite(holds, arrival.phase, phase[place]);
      }
    phases_.complete[events_[place]] = complete;
    const Event& barrier = event(place);
    if (barrier.barrier.kind == Barrier::Kind::arrive) return;
    for (const WarpArrival& arrival : arrivals_)
      for (const auto& [thread, is_missing] : arrival.missing)
        phases_.exits.push_back(
            {events_[place], thread,
             complete & arrival.complete & equal(phase[place], arrival.phase) & is_missing});
    if (barrier.goes_on.width() == 0)
      phases_.all_complete.push_back(implies(barrier.condition, complete));
    else
      phases_.constraints.push_back(implies(barrier.condition, equal(barrier.goes_on, complete)));
  }

  const EventStructure& structure_;
  TermGraph& graph_;
  const std::vector<Bits>& diverges_;
  const std::vector<EventId>& events_;
  BarrierPhases& phases_;
  std::uint64_t needed_ = 0;
  std::vector<WarpArrival> arrivals_;
};

[[noreturn]] void refuse(const std::string& what, const Event& event) {
  throw Unsupported(what, event.instruction ? event.instruction->where : SourcePosition{});
}

}  // namespace

void choose_warp_phases(const EventStructure& structure, TermGraph& graph, const std::vector<Bits>& diverges,
                        const std::vector<EventId>& events, std::vector<Bits>& phase, BarrierPhases& phases) {
  std::map<std::uint64_t, std::vector<std::size_t>> barriers;  // indices of events, by number of the barrier
  const bool is_counted = std::any_of(events.begin(), events.end(), [&](EventId id) {
    return structure.events[id].barrier.count.has_value();
  });
  for (std::size_t place = 0; place < events.size(); ++place) {
    const Event& event = structure.events[events[place]];
    if (event.barrier.group == Barrier::Group::cluster) continue;
    const bool is_of_lanes = event.barrier.group == Barrier::Group::warp;
    if (!event.barrier.id.is_constant())
      refuse(
          is_of_lanes ? "bar.warp.sync of lanes that are not known" : "a barrier whose number is not known",
          event);
    if (!is_counted || event.barrier.group == Barrier::Group::warp) continue;
    auto& members = barriers[event.barrier.id.to_u64()];
    members.push_back(place);
    const Event& first = structure.events[events[members.front()]];
    if (event.barrier.count.has_value() != first.barrier.count.has_value())
      refuse("a barrier with and without a thread count", event);
    if (!event.barrier.count) continue;
    if (!event.barrier.count->is_constant()) refuse("a thread count that is not known", event);
    if (!identical(*event.barrier.count, *first.barrier.count))
      refuse("a barrier with different thread counts", event);
    if (event.barrier.count->to_u64() % lanes_per_warp != 0)
      refuse("a thread count that is no multiple of the warp size", event);
  }
  for (const auto& [number, members] : barriers)
    if (structure.events[events[members.front()]].barrier.count)
      CountedBarrier(structure, graph, diverges, events, phases).choose(members, phase);
}

}  // namespace ptxmc
