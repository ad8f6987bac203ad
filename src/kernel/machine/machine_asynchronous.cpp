// Asynchronous operations: PTX ISA 8.7 § 9.7.9.25. Each happens at once, at some time after its start.
#include <algorithm>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

void Machine::start(const AsyncOperation& operation, std::function<void(Effects&)> perform) {
  StartedOperation started;
  started.thread = thread_;
  started.calls = open_calls();
  started.instruction = &frame().function->lowered.code[frame().next - 1];
  started.group = operation.group;
  started.follows_copies = operation.follows_copies;
  started.perform = std::move(perform);
  started_.push_back(std::move(started));
}

void Machine::for_each_content(std::span<const Bits> words, const ContentUse& perform) {
  add_tensor_map(tensor_maps_, TensorMap(words.first<tensor_map_bytes / 8>()));
  perform(words);
}

void Machine::commit_group(AsyncGroup group) {
  const std::uint64_t number = ++thread_->groups[group];
  for (StartedOperation& operation : started_)
    if (operation.thread == thread_ && operation.group == group && operation.number == 0)
      operation.number = number;
}

void Machine::wait_group(AsyncGroup group, std::uint64_t most, bool) {
  Thread* const own = thread_;
  const std::uint64_t latest = own->groups[group];
  perform_all([&](const StartedOperation& operation) {
    return operation.thread == own && operation.group == group && operation.number != 0 &&
           operation.number + most <= latest;
  });
}

/// Performs an operation that has been started, and those that it follows before.
void Machine::perform(std::size_t number) {
  StartedOperation operation = std::move(started_[number]);
  started_.erase(started_.begin() + static_cast<std::ptrdiff_t>(number));
  if (operation.follows_copies)
    perform_all([&](const StartedOperation& other) {
      return other.thread == operation.thread && other.group == AsyncGroup::cp_async;
    });
  Thread* const thread = std::exchange(thread_, operation.thread);
  performed_ = &operation;
  try {
    operation.perform(*this);
  } catch (const UnhandledEffect& unhandled) {
    throw Unsupported(operation.instruction->form->spelling, unhandled.reason, operation.instruction->where);
  }
  performed_ = nullptr;
  thread_ = thread;
  advance_grids();
}

/// Performs all operations that satisfy a condition, in some order.
void Machine::perform_all(const std::function<bool(const StartedOperation&)>& is_wanted) {
  for (;;) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < started_.size(); ++i)
      if (is_wanted(started_[i])) wanted.push_back(i);
    if (wanted.empty()) return;
    perform(wanted[options_.seed ? random_() % wanted.size() : 0]);
  }
}

/// Performs one of the started operations from time to time. Without a seed, the oldest one at every turn of
/// the threads.
void Machine::perform_some() {
  if (started_.empty()) return;
  if (!options_.seed) {
    if (steps_ % (threads_.size() + 1) == 0) perform(0);
  } else if (random_() % (threads_.size() + 1) == 0) {
    perform(random_() % started_.size());
  }
}

}  // namespace ptxmc::kernel
