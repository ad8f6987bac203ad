// The places of the addresses of a thread: PTX ISA 8.7 chapter 5.
#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/form.hpp"
#include "solver/algebra/provenance.hpp"
#include "src/kernel/unfolding/kernel_thread.hpp"

namespace ptxmc::kernel {

namespace {

/// Whether an access with state space `wanted` may touch memory of `space`.
bool may_be_in(StateSpace wanted, StateSpace space) {
  if (space == StateSpace::tensor) return wanted == space;
  const bool is_in_global = wanted == StateSpace::global && space == StateSpace::param;
  return wanted == StateSpace::generic || wanted == space || is_in_global ||
         (is_shared(wanted) && is_shared(space));
}

Bits is_inside(const Bits& address, std::uint64_t first, std::uint64_t length, unsigned size) {
  if (size > length) return Bits::boolean(false);
  return less_equal_unsigned(address - Bits(64, first), Bits(64, length - size));
}

}  // namespace

ThreadUnfolder::Place KernelThread::locate(const Access& access, const Bits& written_address, unsigned size,
                                           bool writes) {
  Place place;
  place.space = access.space;
  if (access.space == StateSpace::param && written_address.is_constant())
    place.space = space_of_access(access.space, written_address.to_u64());
  place.address = written_address + Bits(64, window_of(place.space));
  place.location = place.address;
  // PTX ISA 8.7 § 9.7.13.15: an mbarrier is in shared memory, also where its address is generic.
  const bool is_in_shared = access.mbarrier != MbarrierAccess::none && place.space == StateSpace::generic;
  const StateSpace wanted = is_in_shared ? StateSpace::shared_cluster : place.space;
  if (wanted == StateSpace::tensor) locate_tensor_memory(place);
  if (place.address.is_constant())
    locate_constant(place, wanted, size, writes);
  else
    locate_open(place, wanted, size, writes);
  const std::uint64_t alignment = access.alignment_of(size);
  const Bits is_aligned = equal(place.address & Bits(64, alignment - 1), Bits(64, 0));
  if (is_aligned.is_false()) place.message = fmt::format("misaligned: {} bytes", size);
  place.valid = place.valid & is_aligned;
  if (place.is_own.is_false()) place.address = place.location;
  note_zero_constants(place);
  return place;
}

void KernelThread::note_zero_constants(const Place& place) {
  for (const std::uint64_t block : place.own_blocks)
    if (const auto known = launch_.zero_constants.find(block); known != launch_.zero_constants.end())
      known->second = known->second | (path_.condition & place.valid);
}

void KernelThread::locate_constant(Place& place, StateSpace wanted, unsigned size, bool writes) const {
  const std::uint64_t address = place.address.to_u64();
  const StateSpace space = wanted == StateSpace::tensor ? wanted : space_of_generic(address);
  const PrivateBlock* block = path_.memory.find(address, size);
  place.message = fmt::format("{} bytes at {:#x}, which no allocation holds", size, address);
  if (!may_be_in(wanted, space)) {
    place.message += " in the state space of the access";
  } else if (block != nullptr && (!writes || !block->is_constant)) {
    place.valid = place.is_own = Bits::boolean(true);
    place.own_blocks.push_back(block->address);
  } else if (block != nullptr) {
    place.message = "a write to memory that is constant";
  } else if (const auto piece = launch_.memory.find(address, size, start_.place.cluster);
             piece && may_be_in(wanted, launch_.memory[*piece].space)) {
    add_piece(place, *piece, size, writes);
  } else if (const auto near = launch_.memory.nearest(address, start_.place.cluster)) {
    const MemoryPiece& piece = launch_.memory[*near];
    const bool is_behind = address >= piece.address;
    place.message =
        fmt::format("{} bytes at {}{}{}, outside of its {} bytes", size, piece.name, is_behind ? "+" : "-",
                    is_behind ? address - piece.address : piece.address - address, piece.size);
  }
}

void KernelThread::locate_open(Place& place, StateSpace wanted, unsigned size, bool writes) const {
  for (const PieceId piece : launch_.memory.pointees(place.address, start_.place.cluster))
    if (may_be_in(wanted, launch_.memory[piece].space)) add_piece(place, piece, size, writes);
  const auto origins = origins_of(place.address);
  std::set<const PrivateBlock*> blocks;
  if (origins)
    for (const Origin& origin : *origins) {
      const StateSpace space = space_of_generic(origin.value);
      if (space == StateSpace::global || is_shared(space) || !may_be_in(wanted, space)) continue;
      const PrivateBlock* nearest = nullptr;
      const auto distance = [&](const PrivateBlock& block) {
        if (origin.value < block.address) return block.address - origin.value;
        return origin.value <= block.end() ? 0 : origin.value - block.end();
      };
      for (const auto& [address, block] : path_.memory.blocks())
        if (space_of_generic(address) == space &&
            (nearest == nullptr || distance(*block) < distance(*nearest)))
          nearest = block.get();
      if (nearest != nullptr) blocks.insert(nearest);
    }
  for (const PrivateBlock* block : blocks)
    if (!writes || !block->is_constant) add_own_block(place, *block, size);
  // Only relevant if the address is valid.
  if (place.pieces.empty() && !place.own_blocks.empty()) place.is_own = Bits::boolean(true);
  place.message = fmt::format("{} bytes outside of", size);
  for (const PieceId piece : place.pieces) place.message += " " + launch_.memory[piece].name;
  for (const PrivateBlock* block : blocks) place.message += " " + block->name;
  if (place.pieces.empty() && blocks.empty()) place.message += " all allocations";
}

/// Freed memory is out of bounds (the launch file's `out-of-bounds`).
Bits KernelThread::is_not_freed(PieceId id) const {
  const MemoryPiece& piece = launch_.memory[id];
  if (piece.allocated_by < 0) return Bits::boolean(true);
  if (piece.allocated_by != thread_) {
    if (launch_.memory.is_freed_somewhere(id))
      throw Unsupported("memory that another thread frees", current_.instruction->where);
    return Bits::boolean(true);
  }
  const auto freed = path_.freed.find(piece.address);
  return freed == path_.freed.end() ? Bits::boolean(true) : ~freed->second;
}

/// Whether all threads of the CTA of this shared memory may have ended before an access to it. They cannot
/// end while a barrier of the cluster waits for this thread (PTX ISA 8.7 § 9.7.13.3). The reads of an
/// asynchronous operation may come after the end of its own thread; its writes are not needed after the end
/// of the CTA.
bool KernelThread::may_outlive_cta(PieceId id, bool writes) const {
  const int cta = launch_.memory[id].cta;
  if (cta < 0) return false;
  if (cta == start_.cta) return is_in_strand() && !writes;
  const unsigned waits = launch_.clusters.known[static_cast<std::size_t>(cta)].waits;
  return is_in_strand() || path_.most_cluster_arrivals >= waits;
}

void KernelThread::add_piece(Place& place, PieceId id, unsigned size, bool writes) const {
  const MemoryPiece& piece = launch_.memory[id];
  Bits here = is_inside(place.address, piece.address, piece.size, size);
  if (here.is_false()) return;
  if (piece.open_size.width() != 0) {
    const Bits end = place.address - Bits(64, piece.address) + Bits(64, size);
    here = here & less_equal_unsigned(end, piece.open_size);
    place.message = fmt::format("{} bytes outside of {}", size, piece.name);
  }
  const bool is_first = place.pieces.empty();
  place.space = is_first || place.space == piece.space ? piece.space : StateSpace::generic;
  place.valid = place.valid | (here & is_not_freed(id));
  place.may_outlive_cta = place.may_outlive_cta || may_outlive_cta(id, writes);
  if (piece.location != piece.address)
    place.location = ite(here, place.address + Bits(64, piece.location - piece.address), place.location);
  const std::uint64_t end = std::max(place.region_first + place.region_size, piece.location + piece.size);
  place.region_first = is_first ? piece.location : std::min(place.region_first, piece.location);
  place.region_size = (is_first ? piece.location + piece.size : end) - place.region_first;
  place.pieces.push_back(id);
}

void KernelThread::add_own_block(Place& place, const PrivateBlock& block, unsigned size) const {
  const Bits here = is_inside(place.address, block.address, block.bytes.size(), size);
  if (here.is_false()) return;
  place.valid = place.valid | here;
  place.is_own = place.is_own | here;
  place.own_blocks.push_back(block.address);
}

Bits KernelThread::settled_value(const Place& place, unsigned width) {
  if (!place.location.is_constant() || place.pieces.size() != 1) return {};
  return launch_.memory.settled_value(place.pieces.front(), place.location.to_u64(), width / 8);
}

/// Each content that may be there has its own path. Where the words have another content, the rest of the
/// thread is not unfolded.
void KernelThread::for_each_content(std::span<const Bits> words, const ContentUse& perform) {
  if (std::ranges::all_of(words, &Bits::is_constant)) return perform(words);
  if (launch_.memory.is_first_round()) return launch_.memory.need_another_round();
  const Bits all = path_.condition;
  const ReadSets::Id control = path_.control;
  depend_on_reads();
  Bits is_other = all, goes_on = Bits::boolean(false);
  for (const TensorMap& map : launch_.tensor_maps.all()) {
    Bits is_this = Bits::boolean(true);
    for (std::size_t i = 0; i < words.size(); ++i) is_this = is_this & equal(words[i], map.words()[i]);
    path_.condition = all & is_this;
    is_other = is_other & ~is_this;
    if (path_.condition.is_false()) continue;
    try {
      perform(map.words());
      goes_on = goes_on | path_.condition;
    } catch (const UnhandledEffect& unhandled) {
      end(Ending::Kind::bound_reached, 0, unhandled.reason);
    }
  }
  path_.condition = is_other;
  end(Ending::Kind::bound_reached, 0, "a tensor map of unknown content");
  path_.condition = goes_on;
  path_.control = control;
}

void KernelThread::recorded(const Event& event, const Place& place) {
  if (event.is_read() && !event.value.is_constant())
    launch_.memory.note_read(event.value.term()->variable, place.pieces);
  if (event.is_write()) launch_.memory.note_write(event.value, place.pieces, start_.place.cluster);
  note_tensor_access(event);
}

}  // namespace ptxmc::kernel
