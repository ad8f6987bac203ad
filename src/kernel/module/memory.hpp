#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/values/bits.hpp"

namespace ptxmc::kernel {

/// The distance between variables and buffers, which is so large that an address beyond one of them does not
/// reach another: an address belongs to the allocation that it was computed from. In global memory the
/// distance exceeds the range of 32-bit indices.
constexpr std::uint64_t spacing_of_global = std::uint64_t{1} << 36, spacing_of_shared = 1U << 16;
/// The first address of malloc, after all variables and buffers, and below the windows of the other state
/// spaces.
constexpr std::uint64_t first_heap_address = std::uint64_t{1} << 55;

/// The first multimem address, which no allocation holds.
constexpr std::uint64_t first_multimem_address = std::uint64_t{3} << 53;

/// The maximum size of a variable that is not a buffer, in the unfolding.
constexpr std::uint64_t most_private_bytes = 1U << 16;

/// The first address of local memory, after all parameters of kernels. An address in .param at or above it is
/// that of a function's parameter, which is in local memory (PTX ISA 8.7 § 5.1.6.4).
constexpr std::uint64_t first_local_address = 0x10'0000;
/// The address in local memory at which the stack of a thread begins (alloca).
constexpr std::uint64_t first_stack_address = 0x8000'0000;

/// The state space of a generic address: § 6.4.1.1.
StateSpace space_of_generic(std::uint64_t address);
/// The state space of an access that names one: § 5.1.6.1 also allows the parameters of kernels in global
/// memory.
StateSpace space_of_access(StateSpace named, std::uint64_t address);

/// Marks a byte that is 0 because neither the module nor the launch gives its content: PTX ISA 8.7 § 5.4.4.
/// Its value counts as known, although the host or an earlier launch may have changed it.
constexpr std::uint8_t zero_by_default = 2;

/// Marks a byte to which a thread has copied a byte without a value.
constexpr std::uint8_t copied_without_value = 3;

/// Bytes that were allocated together: a variable, a buffer, a block of malloc.
struct Allocation {
  std::string name;
  std::uint64_t base = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> is_written;  ///< by byte, whether it has a value: 0, 1 or a mark from above
  bool is_freed = false;
  bool is_constant = false;                ///< a write to it is an error
  bool is_variable = false;                ///< of the module
  std::set<std::uint64_t> mbarriers = {};  ///< the offsets of valid mbarrier objects

  std::uint64_t end() const { return base + bytes.size(); }
  /// Whether all of these bytes have a value.
  bool is_written_all(std::uint64_t offset, std::uint64_t size) const;
  bool is_some_zero_by_default(std::uint64_t offset, std::uint64_t size) const;
};

/// Allocations of one state space, in the order of their addresses.
class AddressSpace {
 public:
  /// Allocates after all other allocations and a gap; `alignment` is a power of 2. The content is unknown.
  Allocation& allocate(std::string name, std::uint64_t size, std::uint64_t alignment);
  /// Allocates at an address after all other allocations.
  Allocation& allocate_at(std::string name, std::uint64_t base, std::uint64_t size);
  /// Removes all allocations from an address on.
  void release_from(std::uint64_t base);

  /// The allocation that contains all of these bytes, or null.
  Allocation* find(std::uint64_t address, std::uint64_t size);
  /// The allocation that begins at this address, possibly empty, or null.
  Allocation* at(std::uint64_t base);
  std::vector<Allocation>& all() { return allocations_; }
  const std::vector<Allocation>& all() const { return allocations_; }

  /// `gap` is the minimum number of bytes between allocations, so that no allocation directly follows
  /// another.
  explicit AddressSpace(std::uint64_t first = 0, std::uint64_t gap = 0) : next_(first), gap_(gap) {}

 private:
  std::vector<Allocation> allocations_;
  std::uint64_t next_, gap_;
  std::size_t last_found_ = 0;  // the last allocation found: consecutive accesses are often to the same one
};

/// The C++ name of a variable whose name is mangled: `_ZZ1kE4tile` is `k::tile`.
std::string source_name(const std::string& name);

/// Reads a little-endian value.
Bits read_bytes(const Allocation&, std::uint64_t address, unsigned width);
void write_bytes(Allocation&, std::uint64_t address, const Bits& value);
/// Makes the values of `count` bytes unknown.
void forget_bytes(Allocation&, std::uint64_t address, std::uint64_t count);

}  // namespace ptxmc::kernel
