#include "src/kernel/unfolding/group_meetings.hpp"

#include <algorithm>

#include "solver/algebra/simplify_under.hpp"
#include "src/kernel/unfolding/encounters.hpp"
#include "src/kernel/unfolding/meeting_resolution.hpp"

namespace ptxmc::kernel {

namespace {

bool same(const Stop& a, const Stop& b) {
  return a.kind == b.kind && identical(a.mask, b.mask) && a.is_same_instruction(b);
}

/// Whether both are the same constant, or neither is a constant.
bool are_known_alike(const Bits& a, const Bits& b) {
  if (a.width() == 0 || b.width() == 0) return a.width() == b.width();
  return a.is_constant() == b.is_constant() && (!a.is_constant() || identical(a, b));
}

/// Whether the same is known about two stops.
bool are_known_alike(const Stop& a, const Stop& b) {
  return a.kind == b.kind && a.is_same_instruction(b) && a.is_certain == b.is_certain &&
         a.arrival.condition.is_true() == b.arrival.condition.is_true() && are_known_alike(a.mask, b.mask) &&
         std::ranges::equal(a.given.values, b.given.values,
                            [](const Bits& x, const Bits& y) { return are_known_alike(x, y); });
}

bool are_known_alike(const Meeting& a, const Meeting& b) {
  return std::ranges::equal(a, b, [](const Encounter& x, const Encounter& y) {
    return x.rank == y.rank && x.stop == y.stop && x.when.is_true() == y.when.is_true();
  });
}

/// Whether f holds for all threads that are awaited at a stop of a thread, including itself. The mask of the
/// stop is known.
template <class Function>
bool holds_for_all_awaited(const ThreadGroups& groups, const Stop& stop, int thread, Function f) {
  if (stop.kind == Stop::Kind::cta) return std::ranges::all_of(groups.cta_of(thread), f);
  const std::vector<int>& group = groups.group_of(stop.form.group, thread);
  const std::uint64_t mask = stop.form.group == ThreadGroup::warp ? stop.mask.to_u64() : 0;
  for (unsigned rank = 0; rank < group.size(); ++rank) {
    const bool is_awaited = stop.form.group != ThreadGroup::warp || (mask >> rank & 1) != 0;
    if (is_awaited && group[rank] != ThreadGroups::no_thread && !f(group[rank])) return false;
  }
  return true;
}

}  // namespace

GroupMeetings::GroupMeetings(ThreadGroups groups)
    : groups_(std::move(groups)),
      stops_(index(groups_.size())),
      last_meetings_(index(groups_.size())),
      last_stuck_(index(groups_.size())) {}

void GroupMeetings::begin_round() {
  previous_ = std::move(stops_);
  stops_.assign(index(groups_.size()), {});
  cut_off_.clear();
  ends_launch_.clear();
  may_not_end_.clear();
  ends_.assign(index(groups_.size()), {});
}

void GroupMeetings::cut_off(int thread, const Unsupported& reason) { cut_off_.emplace(thread, reason); }

void GroupMeetings::stop(int thread, Stop stop) { stops_[index(thread)].push_back(std::move(stop)); }

bool GroupMeetings::is_stuck(int thread, std::size_t stop) const {
  const auto& stuck = last_stuck_[index(thread)];
  return stuck && stop >= *stuck;
}

GroupMeetings::Partner GroupMeetings::partner(int thread, std::size_t stop, ThreadGroup group,
                                              unsigned rank) const {
  using enum Partner::Presence;
  const int other = groups_.group_of(group, thread)[rank];
  if (other == ThreadGroups::no_thread) return {never};
  const auto& meetings = last_meetings_[index(thread)];
  if (stop >= meetings.size()) return {};
  const auto is_there = [&](const Encounter& encounter) { return encounter.rank == rank; };
  const auto encounter = std::ranges::find_if(meetings[stop], is_there);
  if (encounter == meetings[stop].end()) return {never};
  if (std::ranges::count_if(meetings[stop], is_there) > 1) return {open};
  const Stop& its = previous_[index(other)][encounter->stop];
  const bool is_always = its.is_certain && encounter->when.is_true();
  Partner partner{is_always ? always : open, {}, is_always && its.arrival.condition.is_true()};
  for (const Bits& value : its.given.values) partner.numbers.push_back(value.is_constant() ? value : Bits());
  return partner;
}

/// Whether all awaited threads are at the stop or have ended.
bool GroupMeetings::is_complete(int thread, const std::vector<std::size_t>& next) {
  const Stop& stop = stops_[index(thread)][next[index(thread)]];
  const auto is_there = [&](std::size_t other) {
    if (next[other] == stops_[other].size())
      return !cut_off_.contains(static_cast<int>(other)) && !ends_launch_.contains(static_cast<int>(other));
    return same(stops_[other][next[other]], stop);
  };
  bool awaits_open_end = false;
  const auto check_awaited = [&](int other) {
    if (!is_there(index(other))) return false;
    const bool has_ended = next[index(other)] == stops_[index(other)].size();
    awaits_open_end =
        awaits_open_end || (has_ended && stop.kind != Stop::Kind::cta && may_not_end_.contains(other));
    return true;
  };
  if (!holds_for_all_awaited(groups_, stop, thread, check_awaited)) return false;
  awaits_open_end_ = awaits_open_end_ || awaits_open_end;
  return true;
}

/// Lets the threads at the same stop continue.
void GroupMeetings::meet(int thread, std::vector<std::size_t>& next) {
  const Stop stop = stops_[index(thread)][next[index(thread)]];
  Meeting meeting;
  std::vector<int> there;
  const std::vector<int>& group = groups_.group_of(stop.form.group, thread);
  holds_for_all_awaited(groups_, stop, thread, [&](int other) {
    if (next[index(other)] == stops_[index(other)].size()) return true;
    there.push_back(other);
    const unsigned rank = groups_.rank_of(stop.form.group, other);
    if (group[rank] == other) meeting.push_back({rank, next[index(other)]});
    return true;
  });
  for (const int other : there) {
    meetings_[index(other)].push_back(meeting);
    ++next[index(other)];
  }
}

void GroupMeetings::simulate() {
  std::vector<std::size_t> next(index(groups_.size()), 0);
  meetings_.assign(index(groups_.size()), {});
  stuck_.assign(index(groups_.size()), std::nullopt);
  awaits_open_end_ = false;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int thread = 0; thread < groups_.size(); ++thread)
      while (next[index(thread)] < stops_[index(thread)].size() && is_complete(thread, next)) {
        meet(thread, next);
        goes_on = true;
      }
  }
  for (std::size_t thread = 0; thread < next.size(); ++thread)
    if (next[thread] < stops_[thread].size()) stuck_[thread] = next[thread];
}

bool GroupMeetings::all_is_certain() const {
  return std::ranges::all_of(stops_, [](const auto& own) {
    return std::ranges::all_of(
        own, [](const Stop& stop) { return stop.is_certain && stop.mask.is_constant() && stop.waits(); });
  });
}

void GroupMeetings::find_encounters() {
  meetings_ = encounters(stops_, groups_);
  stuck_.assign(index(groups_.size()), std::nullopt);
}

/// Whether this round determined something that it did not use yet.
bool GroupMeetings::may_differ() const {
  if (stuck_ != last_stuck_) return true;
  for (std::size_t thread = 0; thread < stops_.size(); ++thread) {
    const auto alike = [](const auto& a, const auto& b) { return are_known_alike(a, b); };
    if (!std::ranges::equal(stops_[thread], previous_[thread], alike) ||
        !std::ranges::equal(meetings_[thread], last_meetings_[thread], alike))
      return true;
  }
  return false;
}

bool GroupMeetings::end_round() {
  const auto is_empty = [](const auto& meetings) { return meetings.empty(); };
  const bool met_before = !std::ranges::all_of(last_meetings_, is_empty);
  if (!has_exchanges() && !met_before && cut_off_.empty()) return false;
  is_open_ = !all_is_certain();
  if (!is_open_) {
    simulate();
    is_open_ = awaits_open_end_;
  }
  if (is_open_) find_encounters();
  bool changed = may_differ();
  if (!changed && !cut_off_.empty()) changed = masks_are_open_ = true;
  last_meetings_ = meetings_;
  last_stuck_ = stuck_;
  return changed;
}

bool GroupMeetings::has_exchanges() const {
  return std::ranges::any_of(stops_, [](const auto& own) {
    return std::ranges::any_of(own, [](const Stop& stop) { return stop.kind == Stop::Kind::exchange; });
  });
}

namespace {

bool are_at_one_place(const Stop& a, const Stop& b) {
  return !a.waits() && !b.waits() && a.active.calls == b.active.calls;
}

}  // namespace

/// Threads that are active together are numbered by the first of them: its lane, and the number of its
/// earlier visits.
unsigned GroupMeetings::largest_together(int thread, const std::vector<const Instruction*>& calls) const {
  const auto before = std::ranges::count_if(
      stops_[index(thread)], [&](const Stop& stop) { return !stop.waits() && stop.active.calls == calls; });
  return lanes_per_warp * static_cast<unsigned>(before) + groups_.rank_of(ThreadGroup::warp, thread);
}

Bits GroupMeetings::one_at_a_time() const {
  Bits result = Bits::boolean(true);
  for (const auto& stops : stops_)
    for (std::size_t i = 0; i < stops.size(); ++i)
      for (std::size_t before = 0; before < i; ++before)
        if (are_at_one_place(stops[before], stops[i]))
          result = result & ~are_together(stops[before], stops[i]);
  return result;
}

/// True if a thread may meet several stops of another one. Sets of dependencies would then include all of
/// these stops, even later ones.
bool GroupMeetings::are_meetings_chosen() const {
  for (int thread = 0; thread < groups_.size(); ++thread)
    for (std::size_t i = 0; i < last_meetings_[index(thread)].size(); ++i) {
      const Stop& own = stops_[index(thread)][i];
      if (!own.waits()) return true;
      const Meeting& meeting = last_meetings_[index(thread)][i];
      for (std::size_t next = 1; next < meeting.size(); ++next) {
        const Encounter &a = meeting[next - 1], &b = meeting[next];
        if (a.rank != b.rank) continue;
        const auto& its = stops_[index(groups_.group_of(own.form.group, thread)[a.rank])];
        if (!exclude_each_other(its[a.stop].arrival.condition, its[b.stop].arrival.condition)) return true;
      }
    }
  return false;
}

std::vector<WarpExchange> GroupMeetings::resolve(EventStructure& structure, bool wants_exchanges) const {
  if (!has_exchanges()) return {};
  MeetingResolution resolution({stops_, last_meetings_, groups_, ends_, is_open_, are_meetings_chosen()},
                               structure);
  for (Event& event : structure.events) {
    for (Bits* value :
         {&event.condition, &event.address, &event.location, &event.barrier.id, &event.barrier.predicate})
      resolution.apply(*value);
    if (event.is_write()) resolution.apply(event.value);
    if (event.barrier.count) resolution.apply(*event.barrier.count);
    for (Completion& completion : event.completes) resolution.apply(completion.condition);
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      resolution.apply(*reads, static_cast<EventId>(&event - structure.events.data()));
  }
  for (Violation& violation : structure.violations) resolution.apply(violation.condition);
  auto endings = structure.endings;  // the endings of the structure are still needed unchanged
  for (auto& own : endings) {
    for (Ending& ending : own) {
      resolution.apply(ending.condition);
      if (ending.use)
        ending.use = with_values(*ending.use, [&](Bits value) {
          resolution.apply(value);
          return value;
        });
    }
    std::erase_if(own, [](const Ending& ending) { return ending.condition.is_false(); });
  }
  auto exchanges = is_open_ || wants_exchanges ? resolution.exchanges() : std::vector<WarpExchange>();
  structure.endings = std::move(endings);
  return exchanges;
}

}  // namespace ptxmc::kernel
