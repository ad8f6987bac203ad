#include "src/kernel/unfolding/warpgroup_instructions.hpp"

#include <algorithm>

namespace ptxmc::kernel {

namespace {

using Executed = WarpgroupInstructions::Executed;

bool may_be_equal(const Bits& a, const Bits& b) {
  return !a.is_constant() || !b.is_constant() || identical(a, b);
}

bool may_agree(const Executed& a, const Executed& b) {
  return a.instruction == b.instruction && std::ranges::equal(a.values, b.values, may_be_equal);
}

bool are_same(const Executed& a, const Executed& b) {
  const auto are_identical = [](const Bits& x, const Bits& y) { return identical(x, y); };
  return a.instruction == b.instruction && std::ranges::equal(a.values, b.values, are_identical);
}

}  // namespace

WarpgroupInstructions::Known WarpgroupInstructions::known(int thread, std::size_t number,
                                                          const Instruction& instruction) const {
  if (known_.empty()) return {};
  const auto found = known_.find(thread);
  const std::size_t count = found == known_.end() ? 0 : found->second.size();
  if (number >= count) return {.is_missing = !open_.contains(thread)};
  const Executed& executed = found->second[number];
  if (executed.instruction != &instruction) return {.is_missing = true};
  return {.executed = &executed};
}

std::size_t WarpgroupInstructions::count(int thread) const {
  const auto found = now_.find(thread);
  return found == now_.end() ? 0 : found->second.size();
}

void WarpgroupInstructions::begin_round() {
  now_.clear();
  open_now_.clear();
}

/// Whether the instructions of two threads of a warpgroup certainly differ.
bool WarpgroupInstructions::differ(int a, int b) const {
  static const std::vector<Executed> none;
  const auto of = [&](int thread) -> const std::vector<Executed>& {
    const auto found = now_.find(thread);
    return found == now_.end() ? none : found->second;
  };
  const auto &first = of(a), &second = of(b);
  const std::size_t common = std::min(first.size(), second.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!may_agree(first[i], second[i])) return true;
  return (first.size() > common && !is_open(b)) || (second.size() > common && !is_open(a));
}

bool WarpgroupInstructions::end_round(const ThreadGroups& groups) {
  bool all_agree = true;
  for (const auto& [thread, executed] : now_)
    for (const int other : groups.group_of(ThreadGroup::warpgroup, thread))
      all_agree = all_agree && (other == ThreadGroups::no_thread || !differ(thread, other));
  if (all_agree) now_.clear();
  const auto is_same = [](const Threads::value_type& a, const Threads::value_type& b) {
    return a.first == b.first && std::ranges::equal(a.second, b.second, are_same);
  };
  const bool changed = !std::ranges::equal(known_, now_, is_same) || (!all_agree && open_ != open_now_);
  known_ = now_;
  open_ = open_now_;
  return changed;
}

}  // namespace ptxmc::kernel
