#include "src/kernel/module/memory.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>

#include "semantics/language/address_windows.hpp"

namespace ptxmc::kernel {

StateSpace space_of_generic(std::uint64_t address) {
  for (const StateSpace space :
       {StateSpace::shared_cluster, StateSpace::local, StateSpace::param, StateSpace::constant})
    if (address - window_of(space) < window_size) return space;
  return StateSpace::global;
}

StateSpace space_of_access(StateSpace named, std::uint64_t address) {
  if (named == StateSpace::generic) return space_of_generic(address);
  if (named == StateSpace::param && address >= first_local_address) return StateSpace::local;
  const bool is_in_global = named == StateSpace::global && space_of_generic(address) == StateSpace::param;
  return is_in_global ? StateSpace::param : named;
}

bool Allocation::is_written_all(std::uint64_t offset, std::uint64_t size) const {
  const std::uint8_t* first = is_written.data() + offset;
  return std::memchr(first, 0, size) == nullptr && std::memchr(first, copied_without_value, size) == nullptr;
}

bool Allocation::is_some_zero_by_default(std::uint64_t offset, std::uint64_t size) const {
  const std::span bytes = std::span(is_written).subspan(offset, size);
  return std::ranges::find(bytes, zero_by_default) != bytes.end();
}

Allocation& AddressSpace::allocate(std::string name, std::uint64_t size, std::uint64_t alignment) {
  const std::uint64_t first = allocations_.empty() ? next_ : next_ + gap_;
  return allocate_at(std::move(name), (first + alignment - 1) & ~(alignment - 1), size);
}

Allocation& AddressSpace::allocate_at(std::string name, std::uint64_t base, std::uint64_t size) {
  Allocation made;
  made.name = std::move(name);
  made.base = base;
  made.bytes.resize(size);
  made.is_written.resize(size);
  next_ = base + size;
  return allocations_.emplace_back(std::move(made));
}

void AddressSpace::release_from(std::uint64_t base) {
  while (!allocations_.empty() && allocations_.back().base >= base) allocations_.pop_back();
  next_ = base;
}

Allocation* AddressSpace::find(std::uint64_t address, std::uint64_t size) {
  const auto holds = [&](const Allocation& a) {
    return address >= a.base && address < a.end() && size <= a.end() - address;
  };
  if (last_found_ < allocations_.size() && holds(allocations_[last_found_]))
    return &allocations_[last_found_];
  const auto after = std::ranges::upper_bound(allocations_, address, {}, &Allocation::base);
  if (after == allocations_.begin() || !holds(*std::prev(after))) return nullptr;
  last_found_ = static_cast<std::size_t>(after - allocations_.begin()) - 1;
  return &allocations_[last_found_];
}

Allocation* AddressSpace::at(std::uint64_t base) {
  const auto found = std::ranges::lower_bound(allocations_, base, {}, &Allocation::base);
  return found != allocations_.end() && found->base == base ? &*found : nullptr;
}

std::string source_name(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text && status == 0 ? std::string(text.get()) : name;
}

// This code requires a little-endian host, since PTX memory is little-endian.
static_assert(std::endian::native == std::endian::little);

Bits read_bytes(const Allocation& allocation, std::uint64_t address, unsigned width) {
  u128 value = 0;
  std::memcpy(&value, allocation.bytes.data() + (address - allocation.base), width / 8);
  return Bits(width, value);
}

void write_bytes(Allocation& allocation, std::uint64_t address, const Bits& value) {
  const std::uint64_t first = address - allocation.base;
  const u128 bytes = value.value();
  std::memcpy(allocation.bytes.data() + first, &bytes, value.width() / 8);
  std::memset(allocation.is_written.data() + first, 1, value.width() / 8);
}

void forget_bytes(Allocation& allocation, std::uint64_t address, std::uint64_t count) {
  std::memset(allocation.is_written.data() + (address - allocation.base), 0, count);
}

}  // namespace ptxmc::kernel
