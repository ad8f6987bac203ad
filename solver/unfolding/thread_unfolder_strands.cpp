// Asynchronous operations of a thread: PTX ISA 8.7 § 8.9.1.1, § 9.7.9.25.
#include "solver/unfolding/thread_unfolder.hpp"

namespace ptxmc {

void ThreadUnfolder::start(const AsyncOperation& operation, std::function<void(Effects&)> perform) {
  strand_ = ++strands_;
  if (operation.follows_copies)
    for (const auto& [strand, started] : path_.operations)
      if (started.group == AsyncGroup::cp_async) follows_.push_back({strand, Bits::boolean(true), false});
  const auto performed = std::move(performed_);
  performed_.clear();
  perform(*this);
  performed_ = performed;
  if (operation.group != AsyncGroup::none) path_.operations[strand_] = {operation.group};
  follows_.clear();
  strand_ = 0;
}

void ThreadUnfolder::commit_group(AsyncGroup group) {
  for (auto& [strand, started] : path_.operations) {
    if (started.group != group) continue;
    started.later_groups =
        ite(started.is_committed, started.later_groups + Bits(32, 1), started.later_groups);
    started.is_committed = Bits::boolean(true);
  }
}

void ThreadUnfolder::wait_group(AsyncGroup group, std::uint64_t most, bool only_reads) {
  Event& event = record(EventKind::wait);
  std::erase_if(path_.operations, [&](const auto& each) {
    const auto& [strand, started] = each;
    if (started.group != group) return false;
    const Bits is_waited_for = started.is_committed & ~less_unsigned(started.later_groups, Bits(32, most));
    if (!is_waited_for.is_false()) event.completes.push_back({strand, is_waited_for, only_reads});
    return !only_reads && is_waited_for.is_true();
  });
}

}  // namespace ptxmc
