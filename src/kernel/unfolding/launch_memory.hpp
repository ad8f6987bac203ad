#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>

#include "model/program/program.hpp"
#include "semantics/language/tensor_memory.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"
#include "src/kernel/module/passed_parameters.hpp"

namespace ptxmc::kernel {

/// A variable, a buffer or a block of malloc that threads may share.
struct MemoryPiece {
  std::string name;
  std::uint64_t address = 0;   ///< generic
  std::uint64_t location = 0;  ///< unique in the launch: shared variables of different clusters differ
  std::uint64_t size = 0;
  StateSpace space = StateSpace::global;
  int cluster = -1;                 ///< shared memory: the cluster whose threads can access it; -1: all
  int cta = -1;                     ///< shared memory: the CTA that it belongs to
  int allocated_by = -1;            ///< malloc: the allocating thread
  unsigned element_size = 1;        ///< bytes; 1 if the elements are unknown
  Bits open_size = {};              ///< a size that depends on inputs: 64 bits, at most `size`; else width 0
  bool is_buffer = false;           ///< its elements are those of the launch file
  bool is_zero_by_default = false;  ///< see memory.hpp
  std::vector<Bits> content;        ///< its bytes; width 0: unknown; an empty vector: all bytes are unknown

  std::uint64_t end() const { return address + size; }
};

/// The cluster of a CTA of the launch, its rank there, and its dynamic shared memory.
struct CtaPlace {
  int cluster = 0;                   ///< unique in the launch
  std::uint32_t rank = 0;            ///< in its cluster
  std::uint32_t dynamic_shared = 0;  ///< bytes
  friend auto operator<=>(const CtaPlace&, const CtaPlace&) = default;
};

/// Behind the cells of the tensor memory of a CTA is a byte for each unit of columns, which is 1 if the unit
/// is allocated, and one that is 1 if the CTA has given up to allocate.
constexpr unsigned tensor_units = tensor_columns / tensor_allocation_unit;

/// The number of rounds after which a launch is given up whose pointers in memory lead to more and more
/// pointers.
constexpr unsigned most_memory_rounds = 16;

/// The index of a piece.
using PieceId = std::size_t;

/// The memory that the threads of a launch share, and the pieces that pointers in it may point to.
class LaunchMemory {
 public:
  /// What the elements of buffers with content "any" are: an unknown for each; the same, made when it is
  /// needed, so that buffers may be large; no unknowns.
  enum class AnyContent : std::uint8_t { unknowns, on_demand, left_open };
  /// The passed parameters must outlive it.
  LaunchMemory(const LoadedModule&, const Launch&, const PassedParameters&, const std::vector<CtaPlace>&,
               TermGraph&, AnyContent = AnyContent::unknowns);
  /// Fixes the content of buffers on demand, by location of a byte. Call it before the content is used.
  void choose(std::map<std::uint64_t, std::uint8_t> contents) { *chosen_ = std::move(contents); }
  /// Gives the piece that begins at this address an open size, 64 bits, of at most `most` bytes, and unknown
  /// content.
  void open_size(std::uint64_t address, std::uint64_t most, const Bits& size);

  const std::vector<MemoryPiece>& pieces() const { return pieces_; }
  const MemoryPiece& operator[](PieceId id) const { return pieces_[id]; }

  /// The piece that holds these bytes, for threads of this cluster.
  std::optional<PieceId> find(std::uint64_t address, std::uint64_t size, int cluster) const;
  /// The piece that is nearest to an address outside of all pieces.
  std::optional<PieceId> nearest(std::uint64_t address, int cluster) const;
  /// All pieces that a value of 64 bits may point into, according to the values that it was computed from.
  std::set<PieceId> pointees(const Bits& value, int cluster) const;

  /// A block of malloc. The same thread and number give the same block in every round.
  PieceId heap_block(int thread, unsigned number, std::uint64_t size, const Bits& open_size);
  /// Adds the tensor memory of a CTA, if it is not there yet: its cells, and behind them a byte for each unit
  /// of columns, which is 1 if the unit is allocated, and one that is 1 if the CTA has given up to allocate.
  void add_tensor_memory(const CtaPlace&);
  void note_free(PieceId block) { changed_ |= freed_.insert(block).second; }
  bool is_freed_somewhere(PieceId block) const { return freed_.contains(block); }

  /// The value of some bytes at the beginning; width 0: unknown.
  Bits initial_value(PieceId, std::uint64_t offset, unsigned size) const;

  /// The value of memory without writes, if it is known; otherwise width 0. The writes are known after the
  /// first round.
  Bits settled_value(PieceId, std::uint64_t location, unsigned size);

  /// Whether no thread writes the piece; false in the first round.
  bool is_never_written(PieceId);

  /// Records that the read which returned this unknown may have read these pieces.
  void note_read(VariableId, const std::vector<PieceId>& pieces);
  void note_write(const Bits& value, const std::vector<PieceId>& pieces, int cluster);
  /// The round in which no memory is known to be settled.
  bool is_first_round() const { return is_first_round_; }
  /// A part of this round was left out because it must be known first which memory is settled.
  void need_another_round() { changed_ = true; }
  void begin_round();
  /// Whether this round has changed what is known. Events that were unfolded in it may then lack executions,
  /// or leave too much open.
  bool end_round();

 private:
  void add_globals(const Launch&, const PassedParameters&, TermGraph&, AnyContent);
  void add_shared(const LoadedModule&, const std::vector<CtaPlace>&);
  void note_initial_pointers(PieceId);
  Bits initial_byte(PieceId, std::uint64_t offset) const;
  bool is_seen_by(const MemoryPiece& piece, int cluster) const {
    return piece.cluster < 0 || piece.cluster == cluster;
  }
  PieceId add(MemoryPiece);

  std::vector<MemoryPiece> pieces_;
  /// The bytes of pieces whose `content` is empty and yet known.
  std::map<PieceId, std::function<Bits(std::uint64_t offset)>> on_demand_;
  std::shared_ptr<std::map<std::uint64_t, std::uint8_t>> chosen_ =
      std::make_shared<std::map<std::uint64_t, std::uint8_t>>();
  std::map<int, std::map<std::uint64_t, PieceId>> by_address_;  // by cluster
  std::unordered_map<VariableId, std::set<PieceId>> read_from_;
  std::map<PieceId, std::set<PieceId>> stored_;  // pieces that the pointers in a piece point to
  std::map<std::pair<int, unsigned>, PieceId> heap_;
  std::set<PieceId> freed_;
  std::set<PieceId> written_, relied_on_;  // relied_on_: read as memory without writes
  std::set<CtaPlace> tensor_memories_;
  bool is_first_round_ = true, changed_ = false;
};

/// The bytes of a buffer with content "any": an unknown for each element, the same for all threads.
std::vector<Bits> any_bytes(const std::string& name, const BufferParameter&, TermGraph&);

/// Whether an address is in the window of shared memory.
bool is_shared_address(std::uint64_t address);

}  // namespace ptxmc::kernel
