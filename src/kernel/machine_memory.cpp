#include <fmt/format.h>

#include "semantics/address_windows.hpp"
#include "src/kernel/machine.hpp"

namespace ptxmc::kernel {

namespace {

/// An address among those of its state space: the offset in its window, or all of it.
std::uint64_t place_of(const Allocation& allocation, const Bits& address) {
  const bool is_in_window = allocation.base < window_size;
  return is_in_window ? address.to_u64() % window_size : address.to_u64();
}

}  // namespace

Allocation& Machine::find(const Access& access, const Bits& address_bits, unsigned width) {
  const std::uint64_t size = width / 8;
  std::uint64_t address = address_bits.to_u64();
  StateSpace space = access.space;
  if (space == StateSpace::generic) {
    space = StateSpace::global;
    for (const StateSpace candidate :
         {StateSpace::shared_cta, StateSpace::local, StateSpace::param, StateSpace::constant})
      if (address - window_of(candidate) < window_size) space = candidate;
    address -= window_of(space);
  }
  if (address % size != 0)
    end_launch("out-of-bounds", fmt::format("misaligned: {} bytes at {:#x}", size, address_bits.to_u64()));
  AddressSpace* memory = &module_.global;
  if (space == StateSpace::shared_cta || space == StateSpace::shared_cluster) memory = &thread_->cta->shared;
  if (space == StateSpace::local)
    memory = address < first_stack_address ? &thread_->local : &thread_->stack_memory;
  if (space == StateSpace::param) memory = &thread_->parameters;
  if (space == StateSpace::constant) memory = &module_.constant;
  Allocation* found = memory->find(address, size);
  if (found == nullptr && space == StateSpace::global) found = heap_.find(address, size);
  if (found == nullptr)
    end_launch("out-of-bounds",
               fmt::format("{} bytes at {:#x}, which no allocation holds", size, address_bits.to_u64()));
  if (found->is_freed)
    end_launch("out-of-bounds",
               fmt::format("{} bytes at {:#x}, which have been freed", size, address_bits.to_u64()));
  return *found;
}

Bits Machine::read(const Access& access, const Bits& address, unsigned width) {
  Allocation& allocation = find(access, address, width);
  const std::uint64_t place = place_of(allocation, address);
  const bool is_parameter = access.space == StateSpace::param;
  if (!is_parameter && !allocation.is_written_all(place - allocation.base, width / 8))
    note("uninitialized", fmt::format("a read of {} before it is written", allocation.name));
  return read_bytes(allocation, place, width);
}

void Machine::write(const Access& access, const Bits& address, const Bits& value) {
  if (access.space == StateSpace::constant) end_launch("out-of-bounds", "a write to constant memory");
  Allocation& allocation = find(access, address, value.width());
  const std::uint64_t place = place_of(allocation, address);
  write_bytes(allocation, place, value);
}

Bits Machine::read_modify_write(const Access& access, const Bits& address, unsigned width,
                                const std::function<Update(const Bits&)>& update) {
  const Bits old = read(access, address, width);
  const Update next = update(old);
  if (next.happens.is_true()) write(access, address, next.value);
  return old;
}

}  // namespace ptxmc::kernel
