#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semantics/values/bits.hpp"
#include "solver/algebra/read_sets.hpp"

namespace ptxmc {

struct PrivateByte {
  Bits value;                              ///< width 8
  Bits is_written = Bits::boolean(false);  ///< width 1
  ReadSets::Id sources = 0;                ///< the reads that the value was computed from
};

/// A variable that only one thread can access (a local variable of a function, a parameter, memory of
/// alloca), or that no thread can write.
struct PrivateBlock {
  std::string name;
  std::uint64_t address = 0;  ///< generic
  std::vector<PrivateByte> bytes;
  bool is_constant = false;
  /// An argument or result of a call in its caller: PTX ISA 8.7 § 7.1 requires the accesses to be next to the
  /// call, so it holds no value from one iteration of a loop to the next.
  bool is_in_passing = false;
  bool may_be_unwritten = true;  ///< a read before a write is something wrong

  std::uint64_t end() const { return address + bytes.size(); }
};

/// Bytes that hold an unknown value until they are written.
PrivateBlock private_block(std::string name, std::uint64_t address, std::uint64_t size, TermGraph&);
/// The unknowns in a block.
std::vector<VariableId> unknowns_of(const PrivateBlock&);

/// The private memory of a thread, which causes no events. It is a value: each path has a copy, and copies
/// share blocks.
class PrivateMemory {
 public:
  /// The result of a read.
  struct Content {
    Bits value;
    std::vector<Bits> is_written;  ///< by byte, width 1
    ReadSets::Id sources = 0;
  };

  void add(PrivateBlock block) { blocks_[block.address] = std::make_shared<PrivateBlock>(std::move(block)); }
  void share(std::shared_ptr<const PrivateBlock> block) { blocks_[block->address] = std::move(block); }
  void remove(std::uint64_t address) { blocks_.erase(address); }
  /// Removes every block that begins in [first, end).
  void remove_range(std::uint64_t first, std::uint64_t end) {
    blocks_.erase(blocks_.lower_bound(first), blocks_.lower_bound(end));
  }

  /// The block that contains all of these bytes, or null.
  const PrivateBlock* find(std::uint64_t address, std::uint64_t size) const;
  const PrivateBlock* at(std::uint64_t address) const { return find(address, 0); }
  const std::map<std::uint64_t, std::shared_ptr<const PrivateBlock>>& blocks() const { return blocks_; }

  /// Reads at an address that is inside one of the blocks (given by their addresses) and aligned to `size`.
  Content read(const Bits& address, unsigned size, const std::vector<std::uint64_t>& blocks, ReadSets&) const;
  void write(const Bits& address, const Bits& value, ReadSets::Id sources,
             const std::vector<std::uint64_t>& blocks, ReadSets&);

  /// Whether both hold the same content (width 1); blocks with `is_in_passing` are ignored.
  Bits holds_the_same(const PrivateMemory&) const;
  /// Merges: keeps this content if the condition is true, and takes that of `other` if it is false.
  void merge(const Bits& condition, const PrivateMemory& other, ReadSets&);

 private:
  PrivateBlock& own(std::uint64_t address);

  std::map<std::uint64_t, std::shared_ptr<const PrivateBlock>> blocks_;  // by address
};

}  // namespace ptxmc
