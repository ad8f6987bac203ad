#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "semantics/bits.hpp"
#include "semantics/effects.hpp"

namespace ptxmc::kernel {

/// Variables and buffers are far apart, so that an address that leaves one does not reach another: an address
/// belongs to what it was made from. Global ones by more than 32-bit indices span.
constexpr std::uint64_t spacing_of_global = std::uint64_t{1} << 36, spacing_of_shared = 1U << 16;
/// Of malloc: behind all of these, and below the windows of the other state spaces.
constexpr std::uint64_t first_heap_address = std::uint64_t{1} << 55;

/// What one variable may have that is no buffer, in the unfolding.
constexpr std::uint64_t most_private_bytes = 1U << 16;

/// Local memory begins here, behind all parameters of kernels: an address in .param from here on is that of
/// a function's parameter, which lies in local memory (PTX ISA 8.7 § 5.1.6.4).
constexpr std::uint64_t first_local_address = 0x10'0000;
/// Where the stack of a thread begins in local memory: what alloca gives.
constexpr std::uint64_t first_stack_address = 0x8000'0000;

/// The state space that a generic address leads to: § 6.4.1.1.
StateSpace space_of_generic(std::uint64_t address);
/// The state space that an access leads to which names one: § 5.1.6.1 has the parameters of kernels in
/// global memory too.
StateSpace space_of_access(StateSpace named, std::uint64_t address);

/// Of a byte that is 0 because neither the module nor the launch says what it holds: PTX ISA 8.7 § 5.4.4.
/// Its value is known, as that of any byte that is written; the host or an earlier launch may have changed
/// it.
constexpr std::uint8_t zero_by_default = 2;

/// Bytes that were allocated together: a variable, a buffer, a block of malloc.
struct Allocation {
  std::string name;
  std::uint64_t base = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> is_written;  ///< of each byte: it has a known value; 0, 1 or zero_by_default
  bool is_freed = false;
  bool is_constant = false;  ///< a write to it is something wrong
  bool is_variable = false;  ///< of the module

  std::uint64_t end() const { return base + bytes.size(); }
  bool is_written_all(std::uint64_t offset, std::uint64_t size) const;
  bool is_some_zero_by_default(std::uint64_t offset, std::uint64_t size) const;
};

/// Allocations of one state space, in the order of their addresses.
class AddressSpace {
 public:
  /// After everything that is there and a gap, `alignment` a power of 2. Content is not known.
  Allocation& allocate(std::string name, std::uint64_t size, std::uint64_t alignment);
  /// At an address behind everything that is there.
  Allocation& allocate_at(std::string name, std::uint64_t base, std::uint64_t size);
  /// Forgets everything from an address on.
  void release_from(std::uint64_t base);

  /// The allocation that holds all of these bytes; null: none does.
  Allocation* find(std::uint64_t address, std::uint64_t size);
  /// The allocation that begins there, empty ones too; null: none does.
  Allocation* at(std::uint64_t base);
  std::vector<Allocation>& all() { return allocations_; }
  const std::vector<Allocation>& all() const { return allocations_; }

  /// With so many bytes at least between allocations, that nothing lies at the end of another by chance.
  explicit AddressSpace(std::uint64_t first = 0, std::uint64_t gap = 0) : next_(first), gap_(gap) {}

 private:
  std::vector<Allocation> allocations_;
  std::uint64_t next_, gap_;
  std::size_t last_found_ = 0;  // accesses come in runs
};

/// A variable as C++ names it, where its name is mangled: `_ZZ1kE4tile` is `k::tile`.
std::string source_name(const std::string& name);

/// Little-endian, as PTX memory is.
Bits read_bytes(const Allocation&, std::uint64_t address, unsigned width);
void write_bytes(Allocation&, std::uint64_t address, const Bits& value);
/// So many bytes have no known value any more.
void forget_bytes(Allocation&, std::uint64_t address, std::uint64_t count);

}  // namespace ptxmc::kernel
