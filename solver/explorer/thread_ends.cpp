#include "solver/explorer/thread_ends.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

using Kind = Ending::Kind;

bool is_held_up(Kind kind) { return kind == Kind::spinning || kind == Kind::waiting; }

}  // namespace

ThreadEnds::ThreadEnds(const EventStructure& structure)
    : structure_(structure), kinds_(structure.endings.size()) {}

const Ending* ThreadEnds::find(std::size_t thread, const KnownValues& values) const {
  const auto& endings = structure_.endings[thread];
  const auto found =
      std::ranges::find_if(endings, [&](const Ending& ending) { return values.is_true(ending.condition); });
  return found == endings.end() ? nullptr : &*found;
}

void ThreadEnds::set(std::size_t thread, Kind kind) {
  kinds_[thread] = kind;
  if (is_held_up(kind)) ++held_up_;
}

void ThreadEnds::reset(std::size_t thread) {
  if (is_held_up(*kinds_[thread])) --held_up_;
  kinds_[thread].reset();
}

bool ThreadEnds::all_known() const {
  return std::ranges::all_of(kinds_, [](const auto& kind) { return kind.has_value(); });
}

bool ThreadEnds::all_completed() const {
  return std::ranges::all_of(kinds_, [](const auto& kind) { return kind == Kind::completed; });
}

bool ThreadEnds::is_some_cut_off() const {
  return std::ranges::find(kinds_, Kind::bound_reached) != kinds_.end();
}

bool ThreadEnds::is_cut_off() const {
  return is_some_cut_off() &&
         std::ranges::all_of(kinds_, [](const auto& kind) { return kind && !ends_launch(*kind); });
}

bool ThreadEnds::may_be_cut_off(const KnownValues& values) const {
  for (std::size_t thread = 0; thread < kinds_.size(); ++thread) {
    if (kinds_[thread] == Kind::bound_reached) return true;
    if (kinds_[thread]) continue;
    for (const Ending& ending : structure_.endings[thread])
      if (ending.kind == Kind::bound_reached && !values.is_false(ending.condition)) return true;
  }
  return false;
}

std::map<int, ObjectUse> ThreadEnds::undefined_uses(const KnownValues& values) const {
  std::map<int, ObjectUse> result;
  for (std::size_t thread = 0; thread < kinds_.size(); ++thread)
    for (const Ending& ending : structure_.endings[thread]) {
      if (!ending.use || !values.is_true(ending.condition)) continue;
      result[static_cast<int>(thread)] =
          with_values(*ending.use, [&](const Bits& value) { return *values.find(value); });
    }
  return result;
}

}  // namespace ptxmc
