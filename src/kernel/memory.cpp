#include "src/kernel/memory.hpp"

#include <algorithm>

namespace ptxmc::kernel {

bool Allocation::is_written_all(std::uint64_t offset, std::uint64_t size) const {
  for (std::uint64_t i = offset; i < offset + size; ++i)
    if (!is_written[i]) return false;
  return true;
}

Allocation& AddressSpace::allocate(std::string name, std::uint64_t size, std::uint64_t alignment) {
  return allocate_at(std::move(name), (next_ + alignment - 1) & ~(alignment - 1), size);
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
  const auto after = std::ranges::upper_bound(allocations_, address, {}, &Allocation::base);
  if (after == allocations_.begin()) return nullptr;
  Allocation& candidate = *std::prev(after);
  const bool is_inside = address < candidate.end() && size <= candidate.end() - address;
  return is_inside ? &candidate : nullptr;
}

Bits read_bytes(const Allocation& allocation, std::uint64_t address, unsigned width) {
  u128 value = 0;
  const std::uint64_t first = address - allocation.base;
  for (unsigned i = width / 8; i-- > 0;) value = value << 8 | allocation.bytes[first + i];
  return Bits(width, value);
}

void write_bytes(Allocation& allocation, std::uint64_t address, const Bits& value) {
  const std::uint64_t first = address - allocation.base;
  u128 rest = value.value();
  for (unsigned i = 0; i < value.width() / 8; ++i, rest >>= 8) {
    allocation.bytes[first + i] = static_cast<std::uint8_t>(rest);
    allocation.is_written[first + i] = true;
  }
}

}  // namespace ptxmc::kernel
