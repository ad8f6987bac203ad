// Tensor memory: PTX ISA 8.7 § 9.7.16.
#include <algorithm>
#include <bit>

#include "model/program/program_order.hpp"
#include "semantics/language/address_windows.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

/// An access to the bytes that say what is allocated. The instructions of the thread and its asynchronous
/// operations access them through one proxy.
Access access_to_state() {
  Access access;
  access.proxy = Proxy::async;
  access.space = StateSpace::tensor;
  return access;
}

/// A number for columns of tensor memory, beside the addresses of blocks of malloc.
std::uint64_t key_of(const TensorColumns& columns) {
  return window_of(StateSpace::tensor) + (std::uint64_t{columns.first} << 16) + columns.second;
}

std::uint64_t state_address(std::uint32_t rank, unsigned number) {
  return rank * shared_memory_of_cta + tensor_memory_size + number;
}

bool overlap(const TensorColumns& a, const TensorColumns& b) {
  return a.first < b.first + b.second && b.first < a.first + a.second;
}

}  // namespace

std::uint32_t KernelThread::thread_number() {
  return static_cast<std::uint32_t>(thread_ - launch_.meetings.groups().cta_of(thread_).front());
}

void KernelThread::use_of_tensor_memory(Misuse misuse, const Bits& is_wrong) {
  if (!is_wrong.is_false()) use(use_of_operand(misuse, is_wrong));
}

void KernelThread::note_tensor_access(const Event& event) {
  if (is_tensor_cell(event)) {
    if (!event.location.is_constant()) return;  // the round is not the last one
    const std::uint64_t place = event.location.to_u64() % window_size;
    const std::uint64_t column = place % shared_memory_of_cta / tensor_cell_bytes % tensor_columns;
    accessed_units_.insert(
        state_address(start_.place.rank, static_cast<unsigned>(column / tensor_allocation_unit)));
  } else if (event.is_write() && event.access.space != StateSpace::tensor) {
    if (allocated_ && event.location.is_constant())
      launch_.tensor_memory.note_address(event.location.to_u64(), *allocated_);
    else
      launch_.tensor_memory.note_write(event);
  }
}

/// Memory to which only tcgen05.alloc writes, and always the same address, has this content. An execution in
/// which a read takes another value has a data race, or reads memory that is not initialized.
Bits KernelThread::value_of_read(const Place& place, const Bits& read) {
  const Bits value = ThreadUnfolder::value_of_read(place, read);
  const bool may_be_address = !value.is_constant() && read.width() == 8 * tensor_cell_bytes &&
                              place.location.is_constant() && is_shared(place.space);
  if (!may_be_address) return value;
  const auto address = launch_.tensor_memory.address_at(place.location.to_u64());
  return address ? Bits(read.width(), *address) : value;
}

/// The columns that an operation accesses must be allocated. It accesses them as long as it is performed.
/// Columns of a pair are allocated in both CTAs; a thread frees them for its own CTA.
void KernelThread::accessed_tensor_memory(const StartedOperation& operation) {
  const std::set<std::uint64_t> units = std::exchange(accessed_units_, {});
  if (operation.accumulator)
    launch_.tensor_memory.note_product(start_.place.cluster, thread_, *operation.accumulator, units,
                                       instruction_->where);
  for (const std::uint64_t unit : units) {
    const Bits state = read(access_to_state(), Bits(64, unit), 8);
    use_of_tensor_memory(Misuse::tensor_memory_not_allocated, ~equal(state, Bits(8, 1)));
  }
}

/// Adds the tensor memory of the CTA, or of both CTAs of its pair.
void KernelThread::add_tensor_memory(unsigned ctas) {
  launch_.memory.add_tensor_memory(start_.place);
  if (ctas == 2) launch_.memory.add_tensor_memory({start_.place.cluster, start_.place.rank ^ 1});
}

/// PTX ISA 8.7 § 9.7.16.4: the n-th allocations of the two CTAs of a pair are one operation. If the peer has
/// no such allocation, the thread waits for ever.
void KernelThread::wait_for_peer(TensorAllocations::Cta& own, unsigned columns) {
  const std::size_t number = own.of_pair.size();
  own.of_pair.push_back(columns);
  const TensorAllocations& all = launch_.tensor_memory;
  const auto& of_peer = all.known({start_.place.cluster, start_.place.rank ^ 1}).of_pair;
  if (all.is_first_round()) return;
  if (number < of_peer.size())
    return use_of_tensor_memory(Misuse::different_tensor_operands, Bits::boolean(of_peer[number] != columns));
  end(Ending::Kind::waiting, current_step(),
      "an allocation of tensor memory for which the peer CTA never comes");
  path_.condition = Bits::boolean(false);
}

/// The first columns that the thread has not allocated before.
TensorColumns KernelThread::allocated_columns(unsigned count) {
  for (unsigned first = 0; first + count <= tensor_columns; first += tensor_allocation_unit) {
    const TensorColumns columns{first, count};
    if (std::ranges::none_of(allocations_, [&](const auto& other) { return overlap(columns, other); }))
      return columns;
  }
  throw Unsupported("tcgen05.alloc that waits until columns are free", instruction_->where);
}

Results KernelThread::allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                             std::function<Results(const Bits&)> after) {
  add_tensor_memory(ctas);
  TensorAllocations::Cta& cta = launch_.tensor_memory.now(start_.place);
  if (!columns.is_constant())
    throw Unsupported("tcgen05.alloc of a number of columns that is not known", instruction_->where);
  const auto count = static_cast<unsigned>(columns.to_u64());
  const bool is_number =
      std::has_single_bit(count) && count >= tensor_allocation_unit && count <= tensor_columns;
  use_of_tensor_memory(Misuse::tensor_columns, Bits::boolean(!is_number));
  use_of_tensor_memory(Misuse::more_tensor_columns, Bits::boolean(count > last_columns_));
  cta.is_conditional = cta.is_conditional || !is_only_path();
  cta.allocating.insert(thread_);
  launch_.tensor_memory.note_allocation(start_.place, instruction_->where);
  const auto& all = launch_.tensor_memory.known(start_.place).allocating;
  use_of_tensor_memory(Misuse::second_allocating_warp,
                       Bits::boolean(std::ranges::any_of(all, [&](int other) { return other != thread_; })));
  const Bits is_relinquished =
      read(access_to_state(), Bits(64, state_address(start_.place.rank, tensor_units)), 8);
  use_of_tensor_memory(Misuse::allocation_after_relinquish, equal(is_relinquished, Bits(8, 1)));
  if (path_.condition.is_false()) return {};
  if (ctas == 2) wait_for_peer(cta, count);
  if (path_.condition.is_false()) return {};
  last_columns_ = count;
  const TensorColumns own = allocated_columns(count);
  allocations_.push_back(own);
  cta.is_repeated = cta.is_repeated || !cta.allocated.insert(own).second;
  path_.freed.erase(key_of(own));
  set_allocated(own, true);
  allocated_ = own.first;
  Results results = after(Bits(32, own.first));
  allocated_.reset();
  return results;
}

void KernelThread::set_allocated(const TensorColumns& columns, bool is_allocated) {
  for (unsigned at = columns.first; at < columns.first + columns.second; at += tensor_allocation_unit)
    write(access_to_state(), Bits(64, state_address(start_.place.rank, at / tensor_allocation_unit)),
          Bits(8, is_allocated ? 1 : 0));
}

void KernelThread::free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) {
  add_tensor_memory(ctas);
  if (!address.is_constant() || !columns.is_constant())
    return launch_.tensor_memory.note_open(instruction_->where);
  const TensorColumns own{static_cast<unsigned>(address.to_u64()), static_cast<unsigned>(columns.to_u64())};
  const bool is_known = launch_.tensor_memory.known(start_.place).allocated.contains(own) ||
                        std::ranges::find(allocations_, own) != allocations_.end();
  use_of_tensor_memory(Misuse::no_tensor_allocation, Bits::boolean(!is_known));
  for (unsigned at = own.first; is_known && at < own.first + own.second; at += tensor_allocation_unit) {
    const Bits state =
        read(access_to_state(), Bits(64, state_address(start_.place.rank, at / tensor_allocation_unit)), 8);
    use_of_tensor_memory(Misuse::no_tensor_allocation, ~equal(state, Bits(8, 1)));
  }
  if (path_.condition.is_false()) return;
  begin_next_part();
  launch_.tensor_memory.now(start_.place).freeing[own].insert(thread_);
  after_waited_transfers([&] { set_allocated(own, false); });
  path_.freed[key_of(own)] = Bits::boolean(true);
  if (path_.condition.is_true()) std::erase(allocations_, own);
}

void KernelThread::end_tensor_allocations() {
  if (lane() != 0) return;
  launch_.memory.add_tensor_memory(start_.place);
  write(access_to_state(), Bits(64, state_address(start_.place.rank, tensor_units)), Bits(8, 1));
}

/// The thread that may free columns, or else the one that has allocated them, must not end before.
void KernelThread::leave_if_not_freed() {
  const TensorAllocations::Cta& cta = launch_.tensor_memory.known(start_.place);
  for (const TensorColumns& columns : cta.allocated) {
    const auto freeing = cta.freeing.find(columns);
    const std::set<int>& responsible = freeing == cta.freeing.end() ? cta.allocating : freeing->second;
    if (!responsible.contains(thread_)) continue;
    if (responsible.size() > 1)
      throw Unsupported("tensor memory that several threads may free", instruction_->where);
    const auto freed = path_.freed.find(key_of(columns));
    const Bits is_freed = freed == path_.freed.end() ? Bits::boolean(false) : freed->second;
    use_of_tensor_memory(Misuse::tensor_memory_not_freed, ~is_freed);
  }
}

void KernelThread::exit() {
  leave_if_not_freed();
  ThreadUnfolder::exit();
}

}  // namespace ptxmc::kernel
