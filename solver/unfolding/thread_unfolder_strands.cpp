// Asynchronous operations of a thread: PTX ISA 8.7 § 8.9.1.1, § 9.7.9.25.
#include "semantics/language/misuse.hpp"
#include "semantics/language/tensor_pipeline.hpp"
#include "solver/unfolding/thread_unfolder.hpp"

namespace ptxmc {

namespace {

/// tcgen05.ld and tcgen05.st.
bool is_transfer(AsyncGroup group) {
  return group == AsyncGroup::tensor_load || group == AsyncGroup::tensor_store;
}

bool is_on_tensor_memory(AsyncGroup group) { return group >= AsyncGroup::tensor_load; }

}  // namespace

/// An operation on tensor memory is two strands: other accesses follow what precedes the instruction, and
/// accesses to cells of tensor memory what precedes a tcgen05.fence (PTX ISA 8.7 § 9.7.16.5.3), or an earlier
/// operation of the thread that it has waited for, or that is performed in order with it.
void ThreadUnfolder::start(const AsyncOperation& operation, std::function<void(Effects&)> perform) {
  const StartedOperation own = {
      .group = operation.group, .instruction = current_.instruction, .accumulator = operation.accumulator};
  running_.strand = ++strands_;
  running_.follows = operations_before(operation);
  if (is_on_tensor_memory(operation.group)) {
    running_.cells_strand = ++strands_;
    running_.cells_follow = waited_transfers();
    if (operation.group == AsyncGroup::tensor_operation) add_pipelined_operations(own);
  }
  const auto performed = std::exchange(current_.read_sources, {});
  perform(*this);
  if (running_.cells_strand != 0) accessed_tensor_memory(own);
  current_.read_sources = performed;
  if (operation.group != AsyncGroup::none) path_.operations[running_.strand] = own;
  if (running_.cells_strand != 0) path_.operations[running_.cells_strand] = own;
  running_ = {};
}

/// The operations of the thread that are complete before an operation is performed. Its accesses to cells of
/// tensor memory follow others: RunningOperation::cells_follow.
std::vector<Completion> ThreadUnfolder::operations_before(const AsyncOperation& operation) const {
  const bool is_of_tensor_cores = operation.follows == AsyncGroup::tensor_operation;
  if (is_of_tensor_cores && operation.group == AsyncGroup::none) return committed_operations();
  std::vector<Completion> result;
  // tcgen05.mma follows some of the earlier operations only: add_pipelined_operations.
  if (operation.follows == AsyncGroup::none || is_of_tensor_cores) return result;
  for (const auto& [strand, started] : path_.operations)
    if (started.group == operation.follows) result.push_back({strand, Bits::boolean(true), false});
  return result;
}

/// The operations that a tcgen05.commit waits for. It also has the effect of
/// tcgen05.fence::before_thread_sync (PTX ISA 8.7 § 9.7.16.5.4.2).
std::vector<Completion> ThreadUnfolder::committed_operations() const {
  std::vector<Completion> result = waited_transfers();
  for (const auto& [strand, started] : path_.operations)
    if (started.group == AsyncGroup::tensor_operation &&
        is_tracked(*started.instruction->form, *current_.instruction->form))
      result.push_back({strand, Bits::boolean(true), false});
  return result;
}

/// The operations of the thread that are performed before its next one in any case: PTX ISA 8.7 § 9.7.16.5.2.
void ThreadUnfolder::add_pipelined_operations(const StartedOperation& own) {
  for (const auto& [strand, started] : path_.operations)
    if (started.group == AsyncGroup::tensor_operation &&
        are_pipelined(*started.instruction->form, *own.instruction->form) &&
        (!started.accumulator || !own.accumulator || started.accumulator == own.accumulator))
      running_.cells_follow.push_back({strand, Bits::boolean(true), false});
}

Results ThreadUnfolder::start_with_results(const AsyncOperation& operation,
                                           const std::function<Results(Effects&)>& perform) {
  Results results;
  std::vector<ReadSets::Id> sources;
  start(operation, [&](Effects& effects) {
    results = perform(effects);
    sources = current_.read_sources;
  });
  current_.read_sources = sources;
  mark_acted(path_.condition);
  return results;
}

/// The loads and stores of tensor memory that the thread has waited for.
std::vector<Completion> ThreadUnfolder::waited_transfers() const {
  std::vector<Completion> result;
  for (const auto& [strand, operation] : path_.operations)
    if (is_transfer(operation.group) && !operation.is_committed.is_false())
      result.push_back({strand, operation.is_committed, false});
  return result;
}

void ThreadUnfolder::after_waited_transfers(const std::function<void()>& perform) {
  running_.follows = waited_transfers();
  perform();
  running_ = {};
}

/// PTX ISA 8.7 § 9.7.16.5.3.
void ThreadUnfolder::fence_tensor_operations(bool is_before) {
  Event& event = record(EventKind::wait);
  event.tensor_fence = is_before ? TensorFence::before : TensorFence::after;
  if (!is_before) return;
  event.completes = waited_transfers();
  for (const auto& [strand, operation] : path_.operations)
    if (operation.group == AsyncGroup::tensor_operation) event.started.push_back(strand);
}

/// PTX ISA 8.7 § 9.7.15. No other instruction can see the registers before the operation is complete, so they
/// get their values at once.
Results ThreadUnfolder::start_on_registers(const AsyncOperation& operation,
                                           std::function<Results(Effects&, std::span<const Bits>)> perform) {
  const std::vector<Bits>& registers = path_.frame().registers;
  const auto found = start_product(path_.hazards, strands_ + 1, *current_.instruction, path_.frames.size());
  use(use_of_operand(Misuse::product_without_fence, found.lacks_fence));
  use(use_of_operand(Misuse::register_of_running_product, found.uses_running));
  if (path_.condition.is_false()) {
    Results nothing;
    for (const RegisterId id : registers_of(current_.instruction->operands.front()))
      nothing.push_back(registers[id]);
    return nothing;
  }
  std::vector<Bits> before;
  for (const RegisterId id : registers_of(current_.instruction->operands.front()))
    before.push_back(registers[id]);
  Results results;
  ReadSets::Id sources = reads_.unite(current_.address_sources, current_.data_sources);
  for (const ReadSets::Id own : current_.read_sources) sources = reads_.unite(sources, own);
  start(operation, [&](Effects& effects) {
    results = perform(effects, before);
    for (const ReadSets::Id read : current_.read_sources) sources = reads_.unite(sources, read);
  });
  current_.read_sources = {sources};
  mark_acted(path_.condition);
  return results;
}

/// Ends the paths on which the instruction accesses a register of a matrix product that is not complete.
void ThreadUnfolder::leave_if_register_is_busy(const RegisterUse& registers) {
  if (path_.hazards.is_empty() || is_matrix_product(*current_.instruction)) return;
  const Bits is_busy = path_.hazards.access(registers, path_.frames.size());
  if (!is_busy.is_false()) use(use_of_operand(Misuse::register_of_running_product, is_busy));
}

void ThreadUnfolder::commit_group(AsyncGroup group) {
  if (group == AsyncGroup::wgmma) path_.hazards.commit();
  for (auto& [strand, started] : path_.operations) {
    if (started.group != group) continue;
    started.later_groups =
        ite(started.is_committed, started.later_groups + Bits(32, 1), started.later_groups);
    started.is_committed = Bits::boolean(true);
  }
}

void ThreadUnfolder::wait_group(AsyncGroup group, std::uint64_t most, bool only_reads) {
  if (group == AsyncGroup::wgmma) path_.hazards.wait(most);
  if (is_transfer(group)) return;  // seen by later operations and by tcgen05.fence
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
