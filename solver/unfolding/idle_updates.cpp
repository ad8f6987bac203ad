#include "solver/unfolding/idle_updates.hpp"

#include <algorithm>

#include "solver/unfolding/commuting_updates.hpp"

namespace ptxmc {

namespace {

/// Whether the write belongs to an update that may write back the value that it has read, in an iteration
/// that is left out.
bool may_be_left_out(const EventStructure& structure, const Event& write) {
  if (write.kind != EventKind::write || write.rmw < 0) return false;
  const Event& read = structure.events[static_cast<std::size_t>(write.rmw)];
  if (equal(read.value, write.value).is_false()) return false;
  return std::ranges::any_of(
      structure.endings[static_cast<std::size_t>(write.thread)], [&](const Ending& ending) {
        return ending.kind == Ending::Kind::spinning && write.step >= ending.first_step &&
               !(write.condition & ending.condition).is_false();
      });
}

bool may_overlap(const Event& a, const Event& b) {
  if (!a.location.is_constant()) return true;
  return b.may_touch(a.location.to_u64(), a.size);
}

}  // namespace

bool may_leave_out_idle_updates(const EventStructure& structure) {
  const auto is_other_access = [](const Event& event) {
    return event.is_memory_access() && event.kind != EventKind::initial_write;
  };
  return std::ranges::all_of(structure.events, [&](const Event& update) {
    return !may_be_left_out(structure, update) ||
           std::ranges::all_of(structure.events, [&](const Event& other) {
             return !is_other_access(other) || !may_overlap(update, other) ||
                    are_strong_together(*structure.program, update, other);
           });
  });
}

}  // namespace ptxmc
