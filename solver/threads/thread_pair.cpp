#include "solver/threads/thread_pair.hpp"

#include <algorithm>

#include "solver/limits/time_limit.hpp"

namespace ptxmc {

namespace {

/// The unknowns that the threads of a CTA have in common, besides those of all threads: the position of the
/// CTA, the results of its barriers, and the numbers of iterations that contain barriers.
std::set<VariableId> common_in_cta(const OpenThread& thread) {
  std::set<VariableId> result = thread.common_iterations;
  for (const Bits& coordinate : thread.ctaid)
    if (!coordinate.is_constant()) result.insert(coordinate.term()->variable);
  for (const Event& event : thread.structure.events)
    if (event.kind == EventKind::barrier && event.barrier.group == Barrier::Group::cta &&
        event.value.width() != 0)
      result.insert(event.value.term()->variable);
  return result;
}

Bits differ(const std::array<Bits, 3>& own, const std::array<Bits, 3>& other) {
  Bits result = Bits::boolean(false);
  for (std::size_t i = 0; i < own.size(); ++i) result = result | ~equal(own[i], other[i]);
  return result;
}

}  // namespace

ThreadPair::ThreadPair(const OpenThread& thread, Neighbours relation, TermGraph& graph)
    : thread_(thread), relation_(relation) {
  const std::set<VariableId> common =
      relation == Neighbours::across_ctas ? std::set<VariableId>() : common_in_cta(thread);
  const std::size_t count = graph.variable_count();
  for (VariableId id = 0; id < count; ++id) {
    TimeLimit::check();
    if (thread.shared.contains(id) || common.contains(id)) continue;
    substitution_.set(id, graph.variable(graph.variable_width(id), graph.variable_name(id) + "'"));
  }
  const auto of_other = [&](const std::array<Bits, 3>& index) {
    return std::array<Bits, 3>{other(index[0]), other(index[1]), other(index[2])};
  };
  exists_ = thread.assumption & thread.is_thread & other(thread.is_thread);
  exists_ = exists_ & (relation == Neighbours::across_ctas ? differ(thread.ctaid, of_other(thread.ctaid))
                                                           : differ(thread.tid, of_other(thread.tid)));
  if (relation != Neighbours::in_warp && relation != Neighbours::across_warps) return;
  const Bits warp = divide_unsigned(thread.number, Bits(32, lanes_per_warp));
  const Bits is_one_warp = equal(warp, other(warp));
  exists_ = exists_ & (relation == Neighbours::in_warp ? is_one_warp : ~is_one_warp);
}

BarriersBetween::BarriersBetween(const OpenThread& thread, Neighbours relation) {
  if (relation == Neighbours::across_ctas) return;
  for (const Event& event : thread.structure.events) {
    if (event.kind != EventKind::barrier) continue;
    if (event.barrier.group == Barrier::Group::warp && relation != Neighbours::in_warp) continue;
    barriers_.emplace_back(event.step, event.condition);
    if (event.condition.is_true()) certain_.push_back(event.step);
  }
  for (const SkippedIterations& skipped : thread.skipped)
    if (!skipped.pass_barriers.is_false()) barriers_.emplace_back(skipped.step, skipped.pass_barriers);
}

bool BarriersBetween::is_certain(unsigned first, unsigned second) const {
  const auto next = std::ranges::upper_bound(certain_, first);
  return next != certain_.end() && *next < second;
}

void BarriersBetween::for_each_between(unsigned first, unsigned second,
                                       const std::function<void(const Bits&)>& use) const {
  for (const auto& [step, condition] : barriers_)
    if (first < step && step < second) use(condition);
}

}  // namespace ptxmc
