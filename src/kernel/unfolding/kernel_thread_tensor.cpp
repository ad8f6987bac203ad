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

/// The same of tcgen05.alloc and tcgen05.dealloc: these do not race with each other.
Access access_of_allocator() {
  Access access = access_to_state();
  access.sem = Sem::relaxed;
  access.scope = Scope::cta;
  return access;
}

std::uint64_t state_address(std::uint32_t rank, unsigned number) {
  return rank * shared_memory_of_cta + tensor_memory_size + number;
}

/// The bytes that say whether the columns are allocated.
std::vector<Bits> states_of(const TensorColumns& columns, std::uint32_t rank) {
  std::vector<Bits> addresses;
  for (unsigned at = columns.first; at < columns.first + columns.second; at += tensor_allocation_unit)
    addresses.emplace_back(64, state_address(rank, at / tensor_allocation_unit));
  return addresses;
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
      launch_.tensor_memory.note_address(start_.place, event.location.to_u64(), *allocated_);
    else
      launch_.tensor_memory.note_write(event);
  }
}

/// Memory to which only tcgen05.alloc writes, and always the same address, has this content. An execution in
/// which a read takes another value has a data race, or reads memory that is not initialized. Where other
/// instructions write, too, an address that is read is this one, or else the rest is not unfolded.
Bits KernelThread::value_of_read(const Place& place, const Bits& read) {
  const Bits value = ThreadUnfolder::value_of_read(place, read);
  const bool may_be_address = !value.is_constant() && read.width() == 8 * tensor_cell_bytes &&
                              place.location.is_constant() && is_shared(place.space);
  if (!may_be_address) return value;
  const auto address = launch_.tensor_memory.address_at(place.location.to_u64());
  if (!address) return value;
  const Bits known(read.width(), address->value);
  if (address->is_only) return known;
  if (launch_.tensor_memory.reads_address(current_.instruction)) {
    leave_out(~equal(value, known), "an address of tensor memory that tcgen05.alloc has not written");
    return known;
  }
  for (const VariableId variable : variables_of(value))
    launch_.tensor_memory.note_read(variable, current_.instruction);
  return value;
}

/// Does not unfold what follows under a condition.
void KernelThread::leave_out(const Bits& condition, const char* reason) {
  const Bits before = path_.condition;
  path_.condition = before & condition;
  end(Ending::Kind::bound_reached, 0, reason);
  path_.condition = before & ~condition;
}

/// Where nothing is allocated, each access is undefined, whatever its address.
void KernelThread::locate_tensor_memory(Place& place) {
  add_tensor_memory(1);
  if (place.address.is_constant()) return;
  if (launch_.tensor_memory.allocates_nothing())
    place.address = place.location =
        Bits(64, window_of(StateSpace::tensor) + start_.place.rank * shared_memory_of_cta);
  else
    launch_.tensor_memory.note_open(place.address, current_.instruction->where);
}

/// The columns that an operation accesses must be allocated. It accesses them as long as it is performed.
/// Columns of a pair are allocated in both CTAs; a thread frees them for its own CTA.
void KernelThread::accessed_tensor_memory(const StartedOperation& operation) {
  const std::set<std::uint64_t> units = std::exchange(accessed_units_, {});
  if (operation.accumulator)
    launch_.tensor_memory.note_product(start_.place.cluster, thread_, *operation.accumulator, units,
                                       current_.instruction->where);
  if (launch_.tensor_memory.allocates_nothing())
    use_of_tensor_memory(Misuse::tensor_memory_not_allocated, Bits::boolean(!units.empty()));
  for (const std::uint64_t unit : units) {
    if (path_.condition.is_false()) return;
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

/// The first columns that are free, as far as this thread knows. Empty: it waits for ever.
std::optional<TensorColumns> KernelThread::allocated_columns(unsigned count) {
  TensorAllocations& all = launch_.tensor_memory;
  const TensorAllocations::Cta& cta = all.known(start_.place);
  const auto may_be_free = [&](const TensorColumns& columns) {
    return all.uses_again(start_.place) && cta.is_freed_by_other(columns, thread_);
  };
  for (unsigned first = 0; first + count <= tensor_columns; first += tensor_allocation_unit) {
    const TensorColumns columns{first, count};
    if (std::ranges::none_of(
            allocations_, [&](const auto& other) { return overlap(columns, other) && !may_be_free(other); }))
      return columns;
  }
  all.note_use_again(start_.place);
  const bool is_freed = std::ranges::any_of(allocations_, [&](const auto& columns) {
    const auto own = cta.freeing.find(columns);
    return cta.is_freed_by_other(columns, thread_) ||
           (own != cta.freeing.end() && own->second.contains(thread_));
  });
  if (is_freed && !all.is_first_round())
    throw Unsupported("tcgen05.alloc that waits until columns are free", current_.instruction->where);
  return std::nullopt;
}

Results KernelThread::allocate_tensor_memory(const Bits& columns, unsigned ctas,
                                             std::function<Results(const Bits&)> after) {
  add_tensor_memory(ctas);
  TensorAllocations::Cta& cta = launch_.tensor_memory.now(start_.place);
  if (!columns.is_constant())
    throw Unsupported("tcgen05.alloc of a number of columns that is not known", current_.instruction->where);
  const auto count = static_cast<unsigned>(columns.to_u64());
  const bool is_number =
      std::has_single_bit(count) && count >= tensor_allocation_unit && count <= tensor_columns;
  use_of_tensor_memory(Misuse::tensor_columns, Bits::boolean(!is_number));
  use_of_tensor_memory(Misuse::more_tensor_columns, Bits::boolean(count > last_columns_));
  cta.is_conditional = cta.is_conditional || !is_only_path();
  cta.allocating.insert(thread_);
  launch_.tensor_memory.note_allocation(start_.place, current_.instruction->where);
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
  const auto own = allocated_columns(count);
  if (!own) {
    end(Ending::Kind::waiting, current_step(),
        "an allocation of tensor memory for which no columns are free");
    path_.condition = Bits::boolean(false);
    return {};
  }
  if (launch_.tensor_memory.uses_again(start_.place)) wait_for_others_to_free(*own);
  if (path_.condition.is_false()) return {};
  allocations_.push_back(*own);
  ++cta.allocated[*own];
  path_.freed.erase(key_of(*own));
  set_allocated(*own, true);
  allocated_ = own->first;
  Results results = after(Bits(32, own->first));
  allocated_.reset();
  return results;
}

/// Columns that other threads may free must be free: otherwise the thread would get others.
void KernelThread::wait_for_others_to_free(const TensorColumns& columns) {
  for (const TensorColumns& other : std::vector(allocations_)) {
    if (!overlap(columns, other)) continue;
    for (const Bits& state : states_of(other, start_.place.rank))
      leave_out(~equal(read(access_of_allocator(), state, 8), Bits(8, 0)),
                "tcgen05.alloc of columns that another thread may not have freed yet");
    std::erase(allocations_, other);
  }
}

void KernelThread::set_allocated(const TensorColumns& columns, bool is_allocated) {
  for (const Bits& state : states_of(columns, start_.place.rank))
    write(access_of_allocator(), state, Bits(8, is_allocated ? 1 : 0));
}

/// Until the address is known, it is taken to be that of the first columns that the thread has allocated and
/// not freed.
void KernelThread::note_open_free(const Bits& address, const Bits& columns) {
  launch_.tensor_memory.note_open(address, current_.instruction->where);
  if (!columns.is_constant()) return;
  const auto count = static_cast<unsigned>(columns.to_u64());
  const auto own = std::ranges::find(allocations_, count, &TensorColumns::second);
  if (own == allocations_.end())
    launch_.tensor_memory.now(start_.place).freeing_somewhere.emplace(thread_, count);
  else if (is_only_path())
    allocations_.erase(own);
}

void KernelThread::free_tensor_memory(const Bits& address, const Bits& columns, unsigned ctas) {
  add_tensor_memory(ctas);
  use_of_tensor_memory(Misuse::no_tensor_allocation,
                       Bits::boolean(launch_.tensor_memory.allocates_nothing()));
  if (path_.condition.is_false()) return;
  if (!address.is_constant() || !columns.is_constant()) return note_open_free(address, columns);
  const TensorColumns own{static_cast<unsigned>(address.to_u64()), static_cast<unsigned>(columns.to_u64())};
  const bool is_known = launch_.tensor_memory.known(start_.place).allocated.contains(own) ||
                        std::ranges::find(allocations_, own) != allocations_.end();
  use_of_tensor_memory(Misuse::no_tensor_allocation, Bits::boolean(!is_known));
  if (path_.condition.is_false()) return;
  for (const Bits& address_of_state : states_of(own, start_.place.rank)) {
    const Bits state = read(access_of_allocator(), address_of_state, 8);
    use_of_tensor_memory(Misuse::no_tensor_allocation, ~equal(state, Bits(8, 1)));
  }
  if (path_.condition.is_false()) return;
  begin_next_part();
  auto& freeing = launch_.tensor_memory.now(start_.place).freeing[own][thread_];
  ++freeing.times;
  freeing.is_conditional = freeing.is_conditional || !is_only_path();
  after_waited_transfers([&] { set_allocated(own, false); });
  path_.freed[key_of(own)] = Bits::boolean(true);
  if (is_only_path()) std::erase(allocations_, own);
}

void KernelThread::end_tensor_allocations() {
  if (lane() != 0) return;
  launch_.memory.add_tensor_memory(start_.place);
  write(access_to_state(), Bits(64, state_address(start_.place.rank, tensor_units)), Bits(8, 1));
}

/// The threads that may free columns, or else the one that has allocated them, must not end before.
void KernelThread::leave_if_not_freed() {
  const TensorAllocations::Cta& cta = launch_.tensor_memory.known(start_.place);
  for (const auto& [columns, times] : cta.allocated) {
    const auto found = cta.freeing.find(columns);
    if (found == cta.freeing.end()) {
      if (cta.allocating.contains(thread_)) use_of_tensor_memory(Misuse::tensor_memory_not_freed, Bits(1, 1));
      continue;
    }
    const auto& freeing = found->second;
    if (!freeing.contains(thread_)) continue;
    unsigned freed = 0;
    bool is_conditional = false;
    for (const auto& [thread, by_thread] : freeing) {
      freed += by_thread.times;
      is_conditional = is_conditional || by_thread.is_conditional;
    }
    if (!is_conditional) {
      use_of_tensor_memory(Misuse::tensor_memory_not_freed, Bits::boolean(freed < times));
      continue;
    }
    if (freeing.size() > 1 || (times > 1 && !cta.allocating.contains(thread_)))
      throw Unsupported("tensor memory that several threads may free", current_.instruction->where);
    const auto own = path_.freed.find(key_of(columns));
    const Bits is_freed = own == path_.freed.end() ? Bits::boolean(false) : own->second;
    use_of_tensor_memory(Misuse::tensor_memory_not_freed, ~is_freed);
  }
}

void KernelThread::exit() {
  leave_if_not_freed();
  ThreadUnfolder::exit();
}

}  // namespace ptxmc::kernel
