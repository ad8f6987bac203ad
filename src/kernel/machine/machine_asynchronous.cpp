// Asynchronous operations: PTX ISA 8.7 § 9.7.9.25. Each happens at once, at some time after its start.
#include <algorithm>

#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

void Machine::start(const AsyncOperation& operation, std::function<void(Effects&)> perform) {
  StartedOperation started;
  started.thread = thread_;
  started.calls = open_calls();
  started.instruction = &frame().function->lowered.code[frame().next - 1];
  started.order = ++asynchronous_.starts;
  started.group = operation.group;
  started.follows = operation.follows;
  started.perform = std::move(perform);
  note_tensor_operation(started);
  asynchronous_.started.push_back(std::move(started));
}

void Machine::for_each_content(std::span<const Bits> words, const ContentUse& perform) {
  add_tensor_map(observed_.tensor_maps, TensorMap(words.first<tensor_map_bytes / 8>()));
  perform(words);
}

/// PTX ISA 8.7 § 9.7.15. The registers are those of the current call of the thread.
Results Machine::start_on_registers(const AsyncOperation& operation,
                                    std::function<Results(Effects&, std::span<const Bits>)> perform) {
  Thread& thread = *thread_;
  const Instruction& instruction = frame().function->lowered.code[frame().next - 1];
  const std::size_t calls = thread.frames.size();
  const auto found = start_product(thread.hazards, ++thread.products, instruction, calls);
  end_if_misused(UsePair::one_thread, use_of_operand(Misuse::product_without_fence, found.lacks_fence),
                 nullptr);
  end_if_misused(UsePair::one_thread, use_of_operand(Misuse::register_of_running_product, found.uses_running),
                 nullptr);
  start(operation, [this, &thread, &instruction, calls, perform = std::move(perform)](Effects& effects) {
    std::vector<Bits>& registers = thread.frames[calls - 1].registers;
    std::vector<Bits> before;
    for (const RegisterId id : registers_of(instruction.operands.front())) before.push_back(registers[id]);
    write_results(instruction, perform(effects, before), registers);
    note_change();
  });
  asynchronous_.started.back().is_product = true;
  return Results::pending();
}

/// Ends the launch if the instruction accesses a register of a matrix product that is not complete.
void Machine::end_if_register_is_busy(const Instruction& instruction) {
  if (thread_->hazards.is_empty() || is_matrix_product(instruction)) return;
  const Bits is_busy = thread_->hazards.access(use_of_registers(instruction), thread_->frames.size());
  if (is_busy.is_true())
    end_if_misused(UsePair::one_thread, use_of_operand(Misuse::register_of_running_product, is_busy),
                   nullptr);
}

/// Performs the matrix products of a thread that returns from a call, whose registers they write.
void Machine::finish_products(const Thread& thread) {
  perform_all(
      [&](const StartedOperation& operation) { return operation.thread == &thread && operation.is_product; });
}

void Machine::commit_group(AsyncGroup group) {
  if (group == AsyncGroup::wgmma) thread_->hazards.commit();
  const std::uint64_t number = ++thread_->groups[group];
  for (StartedOperation& operation : asynchronous_.started)
    if (operation.thread == thread_ && operation.group == group && operation.number == 0)
      operation.number = number;
}

void Machine::wait_group(AsyncGroup group, std::uint64_t most, bool) {
  if (group == AsyncGroup::wgmma) thread_->hazards.wait(most);
  if (group == AsyncGroup::tensor_load || group == AsyncGroup::tensor_store)
    thread_->cta->cluster->tensor_accesses.wait(warp_in_cluster(*thread_), group);
  Thread* const own = thread_;
  const std::uint64_t latest = own->groups[group];
  perform_all([&](const StartedOperation& operation) {
    return operation.thread == own && operation.group == group && operation.number != 0 &&
           operation.number + most <= latest;
  });
}

/// Performs an operation that has been started, and those that it follows before.
void Machine::perform(std::size_t number) {
  StartedOperation operation = std::move(asynchronous_.started[number]);
  asynchronous_.started.erase(asynchronous_.started.begin() + static_cast<std::ptrdiff_t>(number));
  if (operation.follows != AsyncGroup::none)
    perform_all([&](const StartedOperation& other) {
      return other.thread == operation.thread && other.group == operation.follows &&
             other.order < operation.order;
    });
  if (operation.is_product)
    perform_all([&](const StartedOperation& other) {
      return other.thread == operation.thread && other.is_product && other.order < operation.order;
    });
  Thread* const thread = std::exchange(thread_, operation.thread);
  asynchronous_.performed = &operation;
  try {
    operation.perform(*this);
  } catch (const UnhandledEffect& unhandled) {
    throw Unsupported(operation.instruction->form->spelling, unhandled.reason, operation.instruction->where);
  }
  const bool is_commit =
      operation.group == AsyncGroup::none && operation.follows == AsyncGroup::tensor_operation;
  if (is_commit)
    operation.thread->cta->cluster->tensor_accesses.complete(
        warp_in_cluster(*operation.thread), operation.on_tensor_memory.number, schedule_.steps);
  asynchronous_.performed = nullptr;
  thread_ = thread;
  advance_grids();
}

/// Performs all operations that satisfy a condition, in some order.
void Machine::perform_all(const std::function<bool(const StartedOperation&)>& is_wanted) {
  for (;;) {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < asynchronous_.started.size(); ++i)
      if (is_wanted(asynchronous_.started[i])) wanted.push_back(i);
    if (wanted.empty()) return;
    perform(wanted[options_.seed ? schedule_.random() % wanted.size() : 0]);
  }
}

/// Performs one of the started operations from time to time. Without a seed, the oldest one at every turn of
/// the threads.
void Machine::perform_some() {
  if (asynchronous_.started.empty()) return;
  if (!options_.seed) {
    if (schedule_.steps % (running_.threads.size() + 1) == 0) perform(0);
  } else if (schedule_.random() % (running_.threads.size() + 1) == 0) {
    perform(schedule_.random() % asynchronous_.started.size());
  }
}

}  // namespace ptxmc::kernel
