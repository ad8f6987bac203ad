#include "src/kernel/unfolding/launch_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/diagnostic.hpp"
#include "solver/algebra/provenance.hpp"

namespace ptxmc::kernel {

namespace {

constexpr std::size_t most_heap_blocks = 256, most_bytes = 1U << 20;
constexpr std::uint64_t shared_window = window_of(StateSpace::shared_cta);

std::vector<Bits> bytes_of(const Allocation& allocation) {
  std::vector<Bits> bytes;
  if (std::ranges::none_of(allocation.is_written, [](bool written) { return written; })) return bytes;
  for (std::size_t i = 0; i < allocation.bytes.size(); ++i)
    bytes.push_back(allocation.is_written[i] ? Bits(8, allocation.bytes[i]) : Bits());
  return bytes;
}

std::uint64_t distance(const MemoryPiece& piece, std::uint64_t address) {
  if (address < piece.address) return piece.address - address;
  return address <= piece.end() ? 0 : address - piece.end();
}

}  // namespace

std::vector<Bits> any_bytes(const std::string& name, const BufferParameter& buffer, TermGraph& graph) {
  std::vector<Bits> bytes;
  for (std::uint64_t i = 0; i < buffer.count; ++i) {
    const Bits element = graph.variable(buffer.element.bytes() * 8, fmt::format("{}[{}]", name, i));
    for (unsigned byte = 0; byte < buffer.element.bytes(); ++byte)
      bytes.push_back(element.extract(8 * byte, 8));
  }
  return bytes;
}

namespace {

/// The elements of a buffer with content "any", which become unknowns when they are asked for.
struct AnyElements {
  std::string name;
  std::uint64_t location = 0;
  unsigned element_size = 1;
  TermGraph& graph;
  std::shared_ptr<const std::map<std::uint64_t, std::uint8_t>> chosen;  // by location of a byte
  std::map<std::uint64_t, Bits> unknowns = {};                          // by element

  Bits byte(std::uint64_t offset) {
    if (const auto known = chosen->find(location + offset); known != chosen->end())
      return Bits(8, known->second);
    const std::uint64_t index = offset / element_size;
    Bits& element = unknowns[index];
    if (element.width() == 0) element = graph.variable(8 * element_size, fmt::format("{}[{}]", name, index));
    return element.extract(static_cast<unsigned>(8 * (offset % element_size)), 8);
  }
};

}  // namespace

bool is_shared_address(std::uint64_t address) { return address - shared_window < window_size; }

LaunchMemory::LaunchMemory(const LoadedModule& module, const Launch& launch, const PassedParameters& passed,
                           const std::vector<CtaPlace>& ctas, TermGraph& graph, AnyContent any) {
  add_globals(launch, passed, graph, any);
  add_shared(module, ctas);
  for (PieceId id = 0; id < pieces_.size(); ++id) note_initial_pointers(id);
}

PieceId LaunchMemory::add(MemoryPiece piece) {
  by_address_[piece.cluster].emplace(piece.address, pieces_.size());
  pieces_.push_back(std::move(piece));
  return pieces_.size() - 1;
}

void LaunchMemory::add_globals(const Launch& launch, const PassedParameters& passed, TermGraph& graph,
                               AnyContent any) {
  for (const Allocation& allocation : passed.global.all()) {
    const bool is_large = allocation.bytes.size() > most_bytes;
    if (is_large && any == AnyContent::unknowns)
      throw Unsupported(
          fmt::format("{} of {} bytes (more than {})", allocation.name, allocation.bytes.size(), most_bytes),
          {});
    MemoryPiece piece;
    piece.name = source_name(allocation.name);
    piece.address = piece.location = allocation.base;
    piece.size = allocation.bytes.size();
    if (!is_large) piece.content = bytes_of(allocation);
    if (is_large && any == AnyContent::on_demand)
      on_demand_[pieces_.size()] = [&allocation](std::uint64_t offset) {
        return allocation.is_written[offset] ? Bits(8, allocation.bytes[offset]) : Bits();
      };
    piece.is_zero_by_default = allocation.is_some_zero_by_default(0, allocation.bytes.size());
    for (std::size_t i = 0; i < launch.parameters.size(); ++i) {
      const auto* buffer = std::get_if<BufferParameter>(&launch.parameters[i].is);
      if (buffer == nullptr || passed.buffers[i] != allocation.base) continue;
      piece.is_buffer = true;
      piece.element_size = buffer->element.bytes();
      if (!std::holds_alternative<AnyValue>(buffer->content)) continue;
      piece.content =
          any == AnyContent::unknowns ? any_bytes(piece.name, *buffer, graph) : std::vector<Bits>();
      if (any == AnyContent::on_demand)
        on_demand_[pieces_.size()] = [elements = std::make_shared<AnyElements>(AnyElements{
                                          piece.name, piece.location, piece.element_size, graph, chosen_})](
                                         std::uint64_t offset) { return elements->byte(offset); };
    }
    add(std::move(piece));
  }
}

void LaunchMemory::add_shared(const LoadedModule& module, const std::vector<CtaPlace>& ctas) {
  for (std::size_t cta = 0; cta < ctas.size(); ++cta)
    for (const Allocation& allocation : module.shared.all()) {
      const std::uint64_t size = module.shared_bytes(allocation, ctas[cta].dynamic_shared);
      if (size == 0) continue;
      MemoryPiece piece;
      piece.name = source_name(allocation.name);
      if (ctas.size() > 1) piece.name = fmt::format("cta{}:{}", cta, piece.name);
      piece.address = shared_window + ctas[cta].rank * shared_memory_of_cta + allocation.base;
      piece.location = piece.address + static_cast<std::uint64_t>(ctas[cta].cluster) * window_size;
      piece.size = size;
      piece.space = StateSpace::shared_cta;
      piece.cluster = ctas[cta].cluster;
      piece.cta = static_cast<int>(cta);
      add(std::move(piece));
    }
}

void LaunchMemory::note_initial_pointers(PieceId id) {
  const auto& content = pieces_[id].content;
  for (std::size_t at = 0; at + 8 <= content.size(); at += 8) {
    Bits word;
    for (std::size_t i = 0; i < 8; ++i) {
      const Bits& byte = content[at + i];
      if (byte.width() == 0 || !byte.is_constant()) {
        word = {};
        break;
      }
      word = word.width() == 0 ? byte : concat(byte, word);
    }
    if (word.width() != 64) continue;
    if (const auto target = find(word.to_u64(), 1, -1)) stored_[id].insert(*target);
  }
}

void LaunchMemory::open_size(std::uint64_t address, std::uint64_t most, const Bits& size) {
  MemoryPiece& piece = pieces_[by_address_.at(is_shared_address(address) ? 0 : -1).at(address)];
  piece.size = most;
  piece.open_size = size;
  piece.content.clear();
}

std::optional<PieceId> LaunchMemory::find(std::uint64_t address, std::uint64_t size, int cluster) const {
  const bool is_of_cluster =
      is_shared_address(address) || address - window_of(StateSpace::tensor) < window_size;
  const auto own = by_address_.find(is_of_cluster ? cluster : -1);
  if (own == by_address_.end()) return std::nullopt;
  const auto after = own->second.upper_bound(address);
  if (after == own->second.begin()) return std::nullopt;
  const PieceId id = std::prev(after)->second;
  const MemoryPiece& piece = pieces_[id];
  const bool is_inside = address - piece.address < piece.size && size <= piece.end() - address;
  return is_inside ? std::optional(id) : std::nullopt;
}

std::optional<PieceId> LaunchMemory::nearest(std::uint64_t address, int cluster) const {
  const bool is_shared = is_shared_address(address);
  const std::uint64_t limit = is_shared ? window_size : spacing_of_global / 2;
  std::optional<PieceId> best;
  for (PieceId id = 0; id < pieces_.size(); ++id) {
    const MemoryPiece& piece = pieces_[id];
    if (!is_seen_by(piece, cluster) || (piece.space == StateSpace::shared_cta) != is_shared) continue;
    const std::uint64_t here = distance(piece, address);
    if (here < limit && (!best || here < distance(pieces_[*best], address))) best = id;
  }
  return best;
}

std::set<PieceId> LaunchMemory::pointees(const Bits& value, int cluster) const {
  std::set<PieceId> result;
  const auto origins = origins_of(value);
  bool is_unknown = !origins;
  if (origins)
    for (const Origin& origin : *origins) {
      const bool is_any_shared = origin.is_open && origin.value - shared_window < spacing_of_shared / 2;
      if (is_any_shared)
        for (PieceId id = 0; id < pieces_.size(); ++id)
          if (pieces_[id].space == StateSpace::shared_cta && is_seen_by(pieces_[id], cluster))
            result.insert(id);
      if (is_any_shared) continue;
      if (const auto near = nearest(origin.value, cluster))
        result.insert(*near);
      else
        is_unknown = is_unknown || origin.is_open;
    }
  if (!is_unknown || stored_.empty()) return result;
  for (const VariableId variable : variables_of(value)) {
    const auto read = read_from_.find(variable);
    if (read == read_from_.end()) continue;
    for (const PieceId piece : read->second)
      if (const auto stored = stored_.find(piece); stored != stored_.end())
        for (const PieceId target : stored->second)
          if (is_seen_by(pieces_[target], cluster)) result.insert(target);
  }
  return result;
}

PieceId LaunchMemory::heap_block(int thread, unsigned number, std::uint64_t size, const Bits& open_size) {
  const auto [known, is_new] = heap_.try_emplace({thread, number}, pieces_.size());
  const auto is_so_large = [&](const MemoryPiece& block) {
    return block.size == size && identical(block.open_size, open_size);
  };
  if (!is_new && is_so_large(pieces_[known->second])) return known->second;
  if (heap_.size() > most_heap_blocks)
    throw Unsupported(fmt::format("more than {} calls of malloc", most_heap_blocks), {});
  if (!is_new) throw Unsupported("malloc of a size that depends on what other threads do", {});
  MemoryPiece piece;
  piece.name = fmt::format("block {} of malloc by thread {}", number, thread);
  piece.address = piece.location = first_heap_address + spacing_of_global * heap_.size();
  piece.size = size;
  piece.allocated_by = thread;
  piece.open_size = open_size;
  changed_ = true;
  return add(std::move(piece));
}

void LaunchMemory::add_tensor_memory(const CtaPlace& place) {
  if (!tensor_memories_.insert(place).second) return;
  changed_ = true;
  MemoryPiece cells;
  cells.name = "tensor memory";
  cells.address = window_of(StateSpace::tensor) + place.rank * shared_memory_of_cta;
  cells.location = cells.address + static_cast<std::uint64_t>(place.cluster) * window_size;
  cells.size = tensor_memory_size;
  cells.space = StateSpace::tensor;
  cells.cluster = place.cluster;
  MemoryPiece states = cells;
  states.name = "the allocation of tensor memory";
  states.address += cells.size;
  states.location += cells.size;
  states.size = tensor_units;
  states.content.assign(tensor_units, Bits(8, 0));
  MemoryPiece permit = states;
  permit.name = "the permit to allocate tensor memory";
  permit.address += states.size;
  permit.location += states.size;
  permit.size = 1;
  permit.content.resize(1);
  for (MemoryPiece* piece : {&cells, &states, &permit}) add(std::move(*piece));
}

void LaunchMemory::note_read(VariableId variable, const std::vector<PieceId>& pieces) {
  read_from_[variable].insert(pieces.begin(), pieces.end());
}

void LaunchMemory::note_write(const Bits& value, const std::vector<PieceId>& pieces, int cluster) {
  for (const PieceId piece : pieces)
    if (written_.insert(piece).second && !is_first_round_ && relied_on_.contains(piece)) changed_ = true;
  const auto stored = [&](PieceId target) {
    for (const PieceId piece : pieces) changed_ |= stored_[piece].insert(target).second;
  };
  for (unsigned low = 0; low < value.width(); low += 64) {
    const Bits part = value.extract(low, std::min(64U, value.width() - low));
    for (const PieceId target : pointees(part.resize_unsigned(64), cluster)) stored(target);
    // A pointer may be stored in two halves; its upper half distinguishes pieces of global memory.
    const auto origins = part.width() == 32 ? origins_of(part) : std::nullopt;
    for (const Origin& origin : origins.value_or(std::vector<Origin>{}))
      for (PieceId id = 0; id < pieces_.size(); ++id)
        if (is_seen_by(pieces_[id], cluster) && pieces_[id].address >> 32 == origin.value) stored(id);
  }
}

Bits LaunchMemory::initial_byte(PieceId id, std::uint64_t offset) const {
  const MemoryPiece& piece = pieces_[id];
  if (!piece.content.empty()) return piece.content[offset];
  const auto given = on_demand_.find(id);
  return given == on_demand_.end() ? Bits() : given->second(offset);
}

Bits LaunchMemory::initial_value(PieceId id, std::uint64_t offset, unsigned size) const {
  Bits value;
  for (unsigned i = 0; i < size; ++i) {
    const Bits byte = initial_byte(id, offset + i);
    if (byte.width() == 0) return {};
    value = i == 0 ? byte : concat(byte, value);
  }
  return value;
}

Bits LaunchMemory::settled_value(PieceId id, std::uint64_t location, unsigned size) {
  const Bits value = initial_value(id, location - pieces_[id].location, size);
  return value.width() != 0 && is_never_written(id) ? value : Bits();
}

bool LaunchMemory::is_never_written(PieceId id) {
  if (written_.contains(id)) return false;
  relied_on_.insert(id);
  return !is_first_round_;
}

void LaunchMemory::begin_round() { changed_ = false; }

bool LaunchMemory::end_round() {
  if (is_first_round_)
    for (const PieceId id : relied_on_) changed_ |= !written_.contains(id);
  is_first_round_ = false;
  return changed_;
}

}  // namespace ptxmc::kernel
