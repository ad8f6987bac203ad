#include "solver/unfolding/private_memory.hpp"

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

namespace {

Bits bytes_from(const PrivateBlock& block, std::uint64_t offset, unsigned size) {
  Bits value = block.bytes[offset].value;
  for (unsigned i = 1; i < size; ++i) value = concat(block.bytes[offset + i].value, value);
  return value;
}

PrivateMemory::Content content_of(const PrivateBlock& block, std::uint64_t offset, unsigned size,
                                  ReadSets& reads) {
  PrivateMemory::Content content = {bytes_from(block, offset, size), {}};
  for (unsigned i = 0; i < size; ++i) {
    content.is_written.push_back(block.bytes[offset + i].is_written);
    content.sources = reads.unite(content.sources, block.bytes[offset + i].sources);
  }
  return content;
}

/// Calls `visit` for the offsets in a block that are aligned to the access size.
template <class Visit>
void for_each_place(const PrivateBlock& block, unsigned size, Visit visit) {
  const std::uint64_t first = (size - block.address % size) % size;
  for (std::uint64_t offset = first; offset + size <= block.bytes.size(); offset += size) visit(offset);
}

void merge_byte(PrivateByte& into, const Bits& condition, const PrivateByte& other, ReadSets& reads) {
  into.value = ite(condition, into.value, other.value);
  into.is_written = ite(condition, into.is_written, other.is_written);
  into.sources = reads.unite(into.sources, other.sources);
}

}  // namespace

PrivateBlock private_block(std::string name, std::uint64_t address, std::uint64_t size, TermGraph& graph) {
  PrivateBlock block;
  block.name = std::move(name);
  block.address = address;
  constexpr unsigned piece = Bits::max_width / 8;
  Bits unknown;
  for (std::uint64_t i = 0; i < size; ++i) {
    if (i % piece == 0) unknown = graph.variable(Bits::max_width, "unwritten " + block.name);
    block.bytes.push_back({unknown.extract(static_cast<unsigned>(i % piece) * 8, 8)});
  }
  return block;
}

std::vector<VariableId> unknowns_of(const PrivateBlock& block) {
  std::vector<VariableId> result;
  for (const PrivateByte& byte : block.bytes)
    for (const VariableId unknown : variables_of(byte.value))
      if (result.empty() || result.back() != unknown) result.push_back(unknown);
  return result;
}

const PrivateBlock* PrivateMemory::find(std::uint64_t address, std::uint64_t size) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const PrivateBlock& block = *std::prev(after)->second;
  const bool is_inside = address - block.address <= block.bytes.size() && size <= block.end() - address;
  return is_inside ? &block : nullptr;
}

PrivateBlock& PrivateMemory::own(std::uint64_t address) {
  auto& shared = blocks_.at(address);
  auto copy = std::make_shared<PrivateBlock>(*shared);
  PrivateBlock& block = *copy;
  shared = std::move(copy);
  return block;
}

PrivateMemory::Content PrivateMemory::read(const Bits& address, unsigned size,
                                           const std::vector<std::uint64_t>& blocks, ReadSets& reads) const {
  if (address.is_constant()) {
    const PrivateBlock* block = find(address.to_u64(), size);
    check(block != nullptr, "a private address without a block");
    return content_of(*block, address.to_u64() - block->address, size, reads);
  }
  Content result;
  for (const std::uint64_t at : blocks) {
    const PrivateBlock& block = *blocks_.at(at);
    for_each_place(block, size, [&](std::uint64_t offset) {
      const Content here = content_of(block, offset, size, reads);
      const Bits is_here = equal(address, Bits(64, block.address + offset));
      const bool is_first = result.value.width() == 0;
      result.value = is_first ? here.value : ite(is_here, here.value, result.value);
      if (is_first) result.is_written.assign(size, Bits::boolean(true));
      for (unsigned i = 0; i < size; ++i)
        result.is_written[i] =
            is_first ? here.is_written[i] : ite(is_here, here.is_written[i], result.is_written[i]);
      result.sources = reads.unite(result.sources, here.sources);
    });
  }
  check(result.value.width() != 0, "a private address without a place");
  return result;
}

void PrivateMemory::write(const Bits& address, const Bits& value, ReadSets::Id sources,
                          const std::vector<std::uint64_t>& blocks, ReadSets& reads) {
  const unsigned size = value.width() / 8;
  const auto written = [&](unsigned i) -> PrivateByte {
    return {value.extract(8 * i, 8), Bits::boolean(true), sources};
  };
  if (address.is_constant()) {
    const PrivateBlock* found = find(address.to_u64(), size);
    check(found != nullptr, "a private address without a block");
    PrivateBlock& block = own(found->address);
    for (unsigned i = 0; i < size; ++i) block.bytes[address.to_u64() - block.address + i] = written(i);
    return;
  }
  for (const std::uint64_t at : blocks) {
    PrivateBlock& block = own(at);
    for_each_place(block, size, [&](std::uint64_t offset) {
      const Bits is_elsewhere = ~equal(address, Bits(64, block.address + offset));
      for (unsigned i = 0; i < size; ++i)
        merge_byte(block.bytes[offset + i], is_elsewhere, written(i), reads);
    });
  }
}

Bits PrivateMemory::holds_the_same(const PrivateMemory& other) const {
  Bits same = Bits::boolean(true);
  for (const auto& [address, block] : blocks_) {
    const auto found = other.blocks_.find(address);
    if (block->is_constant || block->is_in_passing) continue;
    if (found == other.blocks_.end() || found->second->bytes.size() != block->bytes.size())
      return Bits::boolean(false);
    if (found->second == block) continue;
    for (std::size_t i = 0; i < block->bytes.size() && !same.is_false(); ++i) {
      const PrivateByte &a = block->bytes[i], &b = found->second->bytes[i];
      same = same & equal(a.value, b.value) & equal(a.is_written, b.is_written);
    }
    if (same.is_false()) return same;
  }
  return same;
}

void PrivateMemory::merge(const Bits& condition, const PrivateMemory& other, ReadSets& reads) {
  for (const auto& [address, block] : other.blocks_) {
    const auto [mine, is_new] = blocks_.try_emplace(address, block);
    if (is_new || mine->second == block) continue;
    if (mine->second->bytes.size() != block->bytes.size())
      throw Unsupported("alloca of different sizes on paths that join", {});
    PrivateBlock& into = own(address);
    for (std::size_t i = 0; i < into.bytes.size(); ++i)
      merge_byte(into.bytes[i], condition, block->bytes[i], reads);
  }
}

}  // namespace ptxmc
