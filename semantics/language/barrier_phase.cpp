#include "semantics/language/barrier_phase.hpp"

#include <algorithm>
#include <utility>

#include "semantics/values/check.hpp"

namespace ptxmc {

namespace {

bool has_thread(std::span<const Arrival> arrivals, int thread) {
  return std::ranges::find(arrivals, thread, &Arrival::thread) != arrivals.end();
}

}  // namespace

void BarrierPhase::arrive(std::size_t unit, Arrival arrival) {
  gathering_[unit].push_back(std::move(arrival));
}

std::span<const Arrival> BarrierPhase::gathered(std::size_t unit) const {
  const auto found = gathering_.find(unit);
  return found == gathering_.end() ? std::span<const Arrival>() : std::span<const Arrival>(found->second);
}

std::vector<const Arrival*> BarrierPhase::beside_latest(std::size_t unit) const {
  const std::span<const Arrival> there = gathered(unit);
  std::vector<const Arrival*> result;
  if (there.empty()) return result;
  const int latest = there.back().thread;
  const auto turn_of = [&](std::size_t i) {
    return std::ranges::count(there.first(i + 1), there[i].thread, &Arrival::thread);
  };
  const auto turn = turn_of(there.size() - 1);
  for (std::size_t i = 0; i < there.size(); ++i)
    if (there[i].thread != latest && turn_of(i) == turn) result.push_back(&there[i]);
  return result;
}

bool BarrierPhase::is_whole(std::size_t unit, const Participants& participants,
                            std::span<const int> more) const {
  const std::span<const Arrival> there = gathered(unit);
  if (there.empty() && more.empty()) return false;
  // Threads mostly arrive in their order: the last one is most often absent.
  const std::vector<int>& threads = participants.units[unit];
  return std::all_of(threads.rbegin(), threads.rend(), [&](int thread) {
    return has_thread(there, thread) || std::ranges::find(more, thread) != more.end() ||
           participants.has_left(thread);
  });
}

std::vector<std::size_t> BarrierPhase::whole_units(const Participants& participants) const {
  std::vector<std::size_t> result;
  for (const auto& [unit, arrivals] : gathering_)
    if (is_whole(unit, participants)) result.push_back(unit);
  return result;
}

BarrierPhase::Step BarrierPhase::advance(const Participants& participants) {
  if (is_misused(participants)) return {Step::Kind::misused, members_};
  if (is_complete(participants)) return {Step::Kind::complete, end()};
  const auto whole =
      std::ranges::find_if(gathering_, [&](const auto& unit) { return is_whole(unit.first, participants); });
  if (whole == gathering_.end()) return {};
  return {Step::Kind::counted, count(whole->first, participants)};
}

/// Counts the first arrival of each thread of the unit.
std::vector<Arrival> BarrierPhase::count(std::size_t unit, const Participants& participants) {
  std::vector<Arrival>& gathered = gathering_.at(unit);
  std::vector<Arrival> arriving, later;
  for (Arrival& arrival : gathered)
    (has_thread(arriving, arrival.thread) ? later : arriving).push_back(std::move(arrival));
  if (later.empty())
    gathering_.erase(unit);
  else
    gathered = std::move(later);
  has_arrived_.resize(participants.units.size());
  has_arrived_[unit] = true;
  arrived_ += participants.weight;
  members_.insert(members_.end(), arriving.begin(), arriving.end());
  return arriving;
}

std::vector<Arrival> BarrierPhase::end() {
  has_arrived_.clear();
  arrived_ = 0;
  return std::exchange(members_, {});
}

/// Whether all threads of the unit have left, and none has arrived.
bool BarrierPhase::has_left(std::size_t unit, const Participants& participants) const {
  return gathered(unit).empty() && std::ranges::all_of(participants.units[unit], participants.has_left);
}

bool BarrierPhase::is_complete(const Participants& participants) const {
  if (members_.empty()) return false;
  const auto counted =
      std::ranges::find_if(members_, [](const Arrival& arrival) { return arrival.count.has_value(); });
  if (counted != members_.end()) return arrived_ >= *counted->count;
  for (std::size_t unit = 0; unit < participants.units.size(); ++unit)
    if (!has_arrived_[unit] && !has_left(unit, participants)) return false;
  return true;
}

bool BarrierPhase::is_misused(const Participants& participants) const {
  const auto has_count = [](const Arrival& arrival) { return arrival.count.has_value(); };
  const auto counted = std::ranges::find_if(members_, has_count);
  if (counted == members_.end()) return false;
  const std::uint64_t needed = *counted->count, all = participants.weight * participants.units.size();
  if (std::ranges::any_of(members_, [&](const auto& member) { return member.count.value_or(all) != needed; }))
    return true;
  if (std::ranges::all_of(members_, has_count)) return false;
  for (std::size_t unit = 0; unit < participants.units.size(); ++unit)
    if (!has_arrived_[unit] && (arrived_ >= needed || has_left(unit, participants))) return true;
  return false;
}

Bits reduction(Barrier::Kind kind, std::span<const Contribution> contributions) {
  using enum Barrier::Kind;
  check(kind == reduce_popc || kind == reduce_and || kind == reduce_or, "a barrier without a result");
  Bits result = kind == reduce_popc ? Bits(32, 0) : Bits::boolean(kind == reduce_and);
  for (const auto& [predicate, is_member] : contributions) {
    if (kind == reduce_popc) result = result + (is_member & predicate).zero_extend(32);
    if (kind == reduce_and) result = result & (~is_member | predicate);
    if (kind == reduce_or) result = result | (is_member & predicate);
  }
  return result;
}

}  // namespace ptxmc
