#include "src/kernel/warp_meetings.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "semantics/diagnostic.hpp"

namespace ptxmc::kernel {

namespace {

constexpr int nobody = -1;

bool same(const Stop& a, const Stop& b) {
  return a.kind == b.kind && a.mask == b.mask && a.instruction == b.instruction;
}

/// What is known of them in the next round.
bool are_known_alike(const Stop& a, const Stop& b) {
  if (a.value.is_constant() != b.value.is_constant() || a.condition.is_true() != b.condition.is_true())
    return false;
  return !a.value.is_constant() || identical(a.value, b.value);
}

std::size_t at(int thread) { return static_cast<std::size_t>(thread); }

/// Values and dependencies without the unknowns and tokens of exchanges.
class Resolution {
 public:
  struct Source {
    int thread = 0;
    std::size_t stop = 0;
  };

  explicit Resolution(const std::vector<std::vector<Stop>>& stops) : stops_(stops) {}

  void add_unknown(VariableId variable, Source source) { unknowns_[variable] = source; }
  void add_arrival(VariableId variable, Source source) { arrivals_[variable].push_back(source); }
  void add_token(EventId token, Source source) { tokens_[token].push_back(source); }

  void apply(Bits& value) {
    if (value.width() == 0 || value.is_constant()) return;
    prepare(value);
    value = substitution_.apply(value);
  }

  void apply(std::vector<EventId>& reads) {
    if (std::ranges::none_of(reads, [&](EventId id) { return tokens_.contains(id); })) return;
    std::set<EventId> all;
    std::set<EventId> met;
    for (const EventId id : reads) expand(id, all, met);
    reads.assign(all.begin(), all.end());
  }

 private:
  /// What the value needs is known before it is looked at.
  void prepare(const Bits& value) {
    for (const VariableId variable : variables_of(value)) {
      if (const auto arrival = arrivals_.extract(variable); !arrival.empty()) {
        Bits all = Bits::boolean(true);
        for (const Source& source : arrival.mapped()) {
          Bits comes = stops_[at(source.thread)][source.stop].condition;
          apply(comes);
          all = all & comes;
        }
        substitution_.set(variable, all);
      }
      const auto unknown = unknowns_.find(variable);
      if (unknown == unknowns_.end()) continue;
      const Source source = unknown->second;
      unknowns_.erase(unknown);
      Bits brought = stops_[at(source.thread)][source.stop].value;
      apply(brought);
      substitution_.set(variable, brought);
    }
  }

  void expand(EventId id, std::set<EventId>& all, std::set<EventId>& met) const {
    const auto token = tokens_.find(id);
    if (token == tokens_.end()) {
      all.insert(id);
      return;
    }
    if (!met.insert(id).second) return;
    for (const Source& source : token->second)
      for (const EventId read : stops_[at(source.thread)][source.stop].sources) expand(read, all, met);
  }

  const std::vector<std::vector<Stop>>& stops_;
  std::map<VariableId, Source> unknowns_;
  std::map<VariableId, std::vector<Source>> arrivals_;
  std::map<EventId, std::vector<Source>> tokens_;
  Substitution substitution_;
};

}  // namespace

WarpMeetings::WarpMeetings(std::vector<Member> members)
    : members_(std::move(members)),
      stops_(members_.size()),
      last_meetings_(members_.size()),
      last_stuck_(members_.size()) {
  for (std::size_t thread = 0; thread < members_.size(); ++thread) {
    const Member& member = members_[thread];
    if (warps_.size() <= at(member.warp))
      warps_.resize(at(member.warp) + 1, std::vector<int>(lanes_per_warp, nobody));
    warps_[at(member.warp)][member.lane] = static_cast<int>(thread);
  }
}

void WarpMeetings::begin_round() {
  previous_ = std::move(stops_);
  stops_.assign(members_.size(), {});
  cut_off_.clear();
}

void WarpMeetings::cut_off(int thread, const Unsupported& reason) { cut_off_.emplace(thread, reason); }

void WarpMeetings::stop(int thread, Stop stop) { stops_[at(thread)].push_back(std::move(stop)); }

bool WarpMeetings::is_stuck(int thread, std::size_t stop) const { return last_stuck_[at(thread)] == stop; }

WarpMeetings::Partner WarpMeetings::partner(int thread, std::size_t stop, unsigned lane) const {
  const auto other = thread_at(members_[at(thread)].warp, lane);
  if (!other) return {.takes_part = false, .number = std::nullopt};
  const auto& meetings = last_meetings_[at(thread)];
  if (stop >= meetings.size()) return {.number = std::nullopt};
  const int its_stop = meetings[stop].stops[lane];
  if (its_stop == nobody) return {.takes_part = false, .number = std::nullopt};
  const Stop& its = previous_[at(*other)][at(its_stop)];
  return {true, its.value.is_constant() ? std::optional(its.value) : std::nullopt, its.condition.is_true()};
}

std::optional<int> WarpMeetings::thread_at(int warp, unsigned lane) const {
  const int thread = warps_[at(warp)][lane];
  return thread == nobody ? std::nullopt : std::optional(thread);
}

/// All that are to be there are, or have ended.
bool WarpMeetings::is_complete(int thread, const std::vector<std::size_t>& next) const {
  const Stop& stop = stops_[at(thread)][next[at(thread)]];
  const auto is_there = [&](std::size_t other) {
    if (next[other] == stops_[other].size()) return !cut_off_.contains(static_cast<int>(other));
    return same(stops_[other][next[other]], stop);
  };
  const Member& own = members_[at(thread)];
  if (stop.kind == Stop::Kind::cta) {
    for (std::size_t other = 0; other < members_.size(); ++other)
      if (members_[other].cta == own.cta && !is_there(other)) return false;
    return true;
  }
  // § 9.7.9.6: undefined for a thread that the mask does not name; it waits for nobody.
  if ((stop.mask >> own.lane & 1) == 0) return true;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    if (const auto other = thread_at(own.warp, lane);
        other && (stop.mask >> lane & 1) != 0 && !is_there(at(*other)))
      return false;
  return true;
}

/// Those that are at the same stop go on from it.
void WarpMeetings::meet(int thread, std::vector<std::size_t>& next) {
  const Stop stop = stops_[at(thread)][next[at(thread)]];
  const Member own = members_[at(thread)];
  const bool is_named = stop.kind == Stop::Kind::cta || (stop.mask >> own.lane & 1) != 0;
  Meeting meeting;
  meeting.stops.fill(nobody);
  std::vector<int> there;
  for (std::size_t other = 0; other < members_.size(); ++other) {
    const Member& member = members_[other];
    const bool is_of_group = stop.kind == Stop::Kind::cta
                                 ? member.cta == own.cta
                                 : member.warp == own.warp && (stop.mask >> member.lane & 1) != 0;
    if (!is_named || !is_of_group || next[other] == stops_[other].size()) continue;
    there.push_back(static_cast<int>(other));
    if (member.warp == own.warp) meeting.stops[member.lane] = static_cast<int>(next[other]);
  }
  if (!is_named) there = {thread};
  for (const int other : there) {
    meetings_[at(other)].push_back(meeting);
    ++next[at(other)];
  }
}

void WarpMeetings::simulate() {
  std::vector<std::size_t> next(members_.size(), 0);
  meetings_.assign(members_.size(), {});
  stuck_.assign(members_.size(), std::nullopt);
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (int thread = 0; at(thread) < members_.size(); ++thread)
      while (next[at(thread)] < stops_[at(thread)].size() && is_complete(thread, next)) {
        meet(thread, next);
        goes_on = true;
      }
  }
  for (std::size_t thread = 0; thread < members_.size(); ++thread)
    if (next[thread] < stops_[thread].size() && stops_[thread][next[thread]].kind == Stop::Kind::exchange)
      stuck_[thread] = next[thread];
}

bool WarpMeetings::end_round() {
  if (!has_exchanges() && cut_off_.empty()) return false;
  for (const auto& own : stops_)
    for (const Stop& stop : own)
      if (!stop.is_certain)
        throw Unsupported(
            "an exchange within a warp beside barriers on a way that depends on what has been read", {});
  simulate();
  bool changed = stuck_ != last_stuck_;
  for (std::size_t thread = 0; thread < members_.size() && !changed; ++thread) {
    changed = stops_[thread].size() != previous_[thread].size() ||
              meetings_[thread].size() != last_meetings_[thread].size();
    for (std::size_t i = 0; !changed && i < stops_[thread].size(); ++i)
      changed = !same(stops_[thread][i], previous_[thread][i]) ||
                !are_known_alike(stops_[thread][i], previous_[thread][i]);
    for (std::size_t i = 0; !changed && i < meetings_[thread].size(); ++i)
      changed = meetings_[thread][i].stops != last_meetings_[thread][i].stops;
  }
  if (!changed && !cut_off_.empty()) throw Unsupported(cut_off_.begin()->second);
  last_meetings_ = meetings_;
  last_stuck_ = stuck_;
  return changed;
}

bool WarpMeetings::has_exchanges() const {
  return std::ranges::any_of(stops_, [](const auto& own) {
    return std::ranges::any_of(own, [](const Stop& stop) { return stop.kind == Stop::Kind::exchange; });
  });
}

void WarpMeetings::resolve(EventStructure& structure) const {
  if (!has_exchanges()) return;
  Resolution resolution(stops_);
  for (std::size_t thread = 0; thread < members_.size(); ++thread)
    for (std::size_t i = 0; i < last_meetings_[thread].size(); ++i)
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        const int its_stop = last_meetings_[thread][i].stops[lane];
        if (its_stop == nobody || stops_[thread][i].kind != Stop::Kind::exchange) continue;
        const Resolution::Source source = {*thread_at(members_[thread].warp, lane), at(its_stop)};
        if (const Bits& taken = stops_[thread][i].taken[lane]; taken.width() != 0)
          resolution.add_unknown(taken.term()->variable, source);
        if (const Bits& met = stops_[thread][i].met; met.width() != 0)
          resolution.add_arrival(met.term()->variable, source);
        resolution.add_token(stops_[thread][i].token, source);
      }
  for (Event& event : structure.events) {
    for (Bits* value :
         {&event.condition, &event.address, &event.location, &event.barrier.id, &event.barrier.predicate})
      resolution.apply(*value);
    if (event.is_write()) resolution.apply(event.value);
    if (event.barrier.count) resolution.apply(*event.barrier.count);
    for (auto* reads : {&event.address_dependencies, &event.data_dependencies, &event.control_dependencies})
      resolution.apply(*reads);
  }
  for (auto& endings : structure.endings) {
    for (Ending& ending : endings) resolution.apply(ending.condition);
    std::erase_if(endings, [](const Ending& ending) { return ending.condition.is_false(); });
  }
  for (Violation& violation : structure.violations) resolution.apply(violation.condition);
}

}  // namespace ptxmc::kernel
