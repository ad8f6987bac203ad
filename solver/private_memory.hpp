#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semantics/bits.hpp"
#include "solver/read_sets.hpp"

namespace ptxmc {

struct PrivateByte {
  Bits value;                              ///< width 8
  Bits is_written = Bits::boolean(false);  ///< width 1
  ReadSets::Id sources = 0;                ///< the reads that it came from
};

/// A variable that only one thread can reach: of a function, a parameter, what alloca gave; or that nobody
/// can write.
struct PrivateBlock {
  std::string name;
  std::uint64_t address = 0;  ///< generic
  std::vector<PrivateByte> bytes;
  bool is_constant = false;
  /// A parameter on its way to a call or back: PTX ISA 8.7 § 7.1 has the accesses next to the call, so that
  /// it holds nothing from one iteration of a loop to the next.
  bool is_in_passing = false;
  bool may_be_unwritten = true;  ///< a read before a write is something wrong

  std::uint64_t end() const { return address + bytes.size(); }
};

/// Bytes that hold an unknown value until they are written.
PrivateBlock private_block(std::string name, std::uint64_t address, std::uint64_t size, TermGraph&);

/// What a thread keeps without events, as a value: paths have copies, which share blocks.
class PrivateMemory {
 public:
  /// Bytes that were read.
  struct Content {
    Bits value;
    Bits is_written;  ///< width 1: all of them
    ReadSets::Id sources = 0;
  };

  void add(PrivateBlock block) { blocks_[block.address] = std::make_shared<PrivateBlock>(std::move(block)); }
  void share(std::shared_ptr<const PrivateBlock> block) { blocks_[block->address] = std::move(block); }
  void remove(std::uint64_t address) { blocks_.erase(address); }
  /// Every block that begins in [first, end).
  void remove_range(std::uint64_t first, std::uint64_t end) {
    blocks_.erase(blocks_.lower_bound(first), blocks_.lower_bound(end));
  }

  /// The block that holds all of these bytes; null: none does.
  const PrivateBlock* find(std::uint64_t address, std::uint64_t size) const;
  const PrivateBlock* at(std::uint64_t address) const { return find(address, 0); }
  const std::map<std::uint64_t, std::shared_ptr<const PrivateBlock>>& blocks() const { return blocks_; }

  /// At an address that lies in one of the blocks (given by their addresses) and is aligned to `size`.
  Content read(const Bits& address, unsigned size, const std::vector<std::uint64_t>& blocks, ReadSets&) const;
  void write(const Bits& address, const Bits& value, ReadSets::Id sources,
             const std::vector<std::uint64_t>& blocks, ReadSets&);

  /// Width 1: both hold the same, apart from what is only in passing.
  Bits holds_the_same(const PrivateMemory&) const;
  /// What holds when the condition does, and `other` when it does not.
  void merge(const Bits& condition, const PrivateMemory& other, ReadSets&);

 private:
  PrivateBlock& own(std::uint64_t address);

  std::map<std::uint64_t, std::shared_ptr<const PrivateBlock>> blocks_;  // by address
};

}  // namespace ptxmc
