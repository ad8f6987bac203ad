#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "semantics/language/address_windows.hpp"
#include "src/kernel/machine/machine.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::uint64_t mbarrier_size = 8;  // bytes

/// The address within its state space: the offset in the window, or the whole address.
std::uint64_t place_of(const Allocation& allocation, const Bits& address) {
  const bool is_in_window = allocation.base < window_size;
  return is_in_window ? address.to_u64() % window_size : address.to_u64();
}

}  // namespace

/// The shared memory of the thread's own CTA, or of another CTA in its cluster (PTX ISA 8.7 § 5.1.6).
AddressSpace& Machine::shared_memory(StateSpace space, std::uint64_t address) {
  Cta& own = *thread_->cta;
  const std::uint64_t rank = address >> cta_rank_shift;
  if (rank == own.rank || rank >= own.cluster->ctas.size()) return own.shared;
  Cta& other = *own.cluster->ctas[rank];
  if (space == StateSpace::shared_cta)
    end_launch("out-of-bounds",
               fmt::format("{:#x} as an address of shared::cta, but it belongs to the CTA of rank {}",
                           address, rank));
  if (has_ended(other))
    end_launch(
        "out-of-bounds",
        fmt::format("{:#x} in the shared memory of the CTA of rank {}, which has ended (PTX ISA 8.7 § 2.2.2)",
                    address, rank));
  return other.shared;
}

Allocation& Machine::find(const Access& access, const Bits& address_bits, unsigned width, bool writes) {
  const std::uint64_t size = width / 8;
  const StateSpace space = space_of_access(access.space, address_bits.to_u64());
  const bool is_generic = access.space == StateSpace::generic || access.space == StateSpace::global;
  const std::uint64_t address = address_bits.to_u64() - (is_generic ? window_of(space) : 0);
  const std::uint64_t alignment = access.alignment_of(size);
  if (address % alignment != 0)
    end_launch("out-of-bounds",
               fmt::format("misaligned: {} bytes at {:#x}", alignment, address_bits.to_u64()));
  if (access.mbarrier != MbarrierAccess::none && !is_shared(space))
    end_launch("out-of-bounds",
               fmt::format("{:#x} as the address of an mbarrier, which is not in shared memory",
                           address_bits.to_u64()));
  AddressSpace* memory = &passed_.global;
  if (is_shared(space)) memory = &shared_memory(space, address);
  if (memory == &thread_->cta->shared && asynchronous_.performed != nullptr && !writes &&
      has_ended(*thread_->cta))
    end_launch("out-of-bounds",
               fmt::format("an asynchronous operation reads {:#x} in the shared memory of its CTA, which has "
                           "ended (PTX ISA 8.7 § 2.2.2)",
                           address_bits.to_u64()));
  if (space == StateSpace::local)
    memory = address < first_stack_address ? &thread_->local : &thread_->stack_memory;
  if (space == StateSpace::param) memory = &thread_->parameters;
  if (space == StateSpace::tensor) memory = &tensor_memory(address, writes);
  if (space == StateSpace::constant) memory = &passed_.constant;
  Allocation* found = memory->find(address, size);
  if (found == nullptr && space == StateSpace::global) found = heap_.find(address, size);
  if (found == nullptr)
    end_launch("out-of-bounds",
               fmt::format("{} bytes at {:#x}, which no allocation holds", size, address_bits.to_u64()));
  if (found->is_freed)
    end_launch("out-of-bounds",
               fmt::format("{} bytes at {:#x}, which have been freed", size, address_bits.to_u64()));
  if (writes && found->is_constant) end_launch("out-of-bounds", "a write to memory that is constant");
  end_if_mbarrier_is_misused(*found, access, place_of(*found, address_bits) - found->base, size, writes);
  return *found;
}

/// PTX ISA 8.7 § 9.7.13.15.
void Machine::end_if_mbarrier_is_misused(const Allocation& allocation, const Access& access,
                                         std::uint64_t offset, std::uint64_t size, bool writes) {
  if (access.mbarrier == MbarrierAccess::none && allocation.mbarriers.empty()) return;
  const auto object =
      allocation.mbarriers.lower_bound(offset < mbarrier_size ? 0 : offset - mbarrier_size + 1);
  const bool is_at_object = object != allocation.mbarriers.end() && *object < offset + size;
  const auto found =
      misuse_of_memory(access.mbarrier, is_at_object ? MbarrierAccess::init : MbarrierAccess::none, writes);
  if (found) end_launch("undefined", std::string(sentence_of(*found)));
}

Bits Machine::read(const Access& access, const Bits& address, unsigned width) {
  Allocation& allocation = find(access, address, width, false);
  Bits value = read_from(allocation, access, address, width);
  if (access.mbarrier == MbarrierAccess::operation)
    thread_->failed_test = {schedule_.steps, &allocation, place_of(allocation, address) - allocation.base,
                            value};
  return value;
}

void Machine::wait(const Wait& wait) {
  if (wait.succeeds.is_true()) thread_->failed_test.reset();
}

/// Whether what an access reads may be copied to other memory without another use.
bool Machine::may_copy(const Access& access) const {
  if (access.is_copy) return true;
  if (asynchronous_.performed != nullptr) return false;
  const Frame& current = thread_->frames.back();
  return current.function->lowered.code[current.next - 1].form->line->opcode == "ld";
}

Bits Machine::read_from(Allocation& allocation, const Access& access, const Bits& address, unsigned width) {
  const std::uint64_t place = place_of(allocation, address), first = place - allocation.base;
  if (allocation.is_variable && allocation.is_some_zero_by_default(first, width / 8))
    observed_.assumed_zero.insert(source_name(allocation.name));
  const Bits value = read_bytes(allocation, place, width);
  if (allocation.is_written_all(first, width / 8)) {
    loaded_.is_any_written = true;
    return value;
  }
  const std::string message =
      fmt::format("a read of {} before it is written, or after it is discarded", allocation.name);
  std::array<bool, Bits::max_width / 8> has_value{};
  bool is_any_written = false;
  for (unsigned i = 0; i < width / 8; ++i) {
    const std::uint8_t mark = allocation.is_written[first + i];
    has_value[i] = mark != 0 && mark != copied_without_value;
    is_any_written = is_any_written || mark != 0;
  }
  // An asynchronous copy is judged access by access, a load as a whole: use_results.
  if (!may_copy(access) || (access.is_copy && !is_any_written)) {
    note("uninitialized", message);
    return value;
  }
  loaded_.is_any_written = loaded_.is_any_written || is_any_written;
  loaded_.lacks_some = loaded_.lacks_some || !access.is_copy;
  const void* reader = &frame().function->lowered.code[frame().next - 1];
  if (asynchronous_.performed != nullptr) reader = asynchronous_.performed->instruction;
  return unwritten_.read(value, std::span(has_value).first(width / 8), reader, thread_,
                         [&] { return finding_here("uninitialized", message); });
}

/// A copy of a byte without a value has no value either, but it has been written.
void Machine::write_copy(Allocation& allocation, std::uint64_t place, const Bits& value) {
  write_bytes(allocation, place, unwritten_.concrete(value));
  for (unsigned i = 0; i < value.width() / 8; ++i)
    if (!value.extract(8 * i, 8).is_constant())
      allocation.is_written[place - allocation.base + i] = copied_without_value;
}

void Machine::write(const Access& access, const Bits& address, const Bits& value) {
  Allocation& allocation = find(access, address, value.width(), true);
  const std::uint64_t place = place_of(allocation, address);
  note_change();
  if (access.mbarrier == MbarrierAccess::init) allocation.mbarriers.insert(place - allocation.base);
  if (access.mbarrier == MbarrierAccess::inval) allocation.mbarriers.erase(place - allocation.base);
  if (access.is_indeterminate) return forget_bytes(allocation, place, value.width() / 8);
  if (!value.is_constant() && UnwrittenBytes::is_copy(value))
    write_copy(allocation, place, value);
  else
    write_bytes(allocation, place, use(value));
}

Bits Machine::read_modify_write(const Access& access, const Bits& address, unsigned width,
                                const std::function<Update(const Bits&)>& update) {
  Access read = access;
  read.is_copy = false;  // the operation uses what it reads
  const Bits old = read_from(find(access, address, width, true), read, address, width);
  const Update next = update(old);
  if (next.happens.is_true()) write(access, address, next.value);
  return old;
}

}  // namespace ptxmc::kernel
