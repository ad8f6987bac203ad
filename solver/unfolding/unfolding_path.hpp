#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "semantics/language/effects.hpp"
#include "semantics/language/register_hazards.hpp"
#include "solver/unfolding/function_body.hpp"
#include "solver/unfolding/private_memory.hpp"

namespace ptxmc {

/// The state at the beginning of an iteration.
struct IterationStart {
  unsigned step = 0;
  std::size_t clock = 0;  ///< the number of clock values that the thread had read
  std::vector<Bits> registers;
  PrivateMemory memory;
  Bits acted =
      Bits::boolean(false);  ///< the condition under which it has written or executed a barrier since
};

/// A loop that contains the current position of a path.
struct LoopVisit {
  Target head = 0;
  unsigned iteration = 0;
  unsigned open_iterations = 0;        ///< the iterations that count towards the bound
  bool open = false;                   ///< an open condition could have ended the loop in this iteration
  bool open_to_reads = false;          ///< … and this condition depends on reads, not on inputs alone
  std::vector<IterationStart> starts;  ///< of this iteration, and of earlier ones that were open to reads
};

/// An open call of a function on a path.
struct UnfoldingFrame {
  const FunctionBody* body = nullptr;
  std::vector<Bits> registers;
  std::vector<ReadSets::Id> sources;  ///< by register: the reads that its value depends on
  std::vector<LoopVisit> loops;
  Target call = 0;          ///< for all frames except the innermost: the call instruction that it is at
  Bits condition_at_entry;  ///< of the path
  std::uint64_t stack_at_entry = 0;
  unsigned open_calls = 0;  ///< recursive calls on an open condition, which count towards the bound
};

/// An asynchronous operation of a group that the thread has started and may not have waited for.
struct StartedOperation {
  AsyncGroup group = AsyncGroup::none;
  Bits is_committed = Bits::boolean(false);           ///< width 1: it is in a group
  Bits later_groups = Bits(32, 0);                    ///< committed after its own, 32 bits
  const Instruction* instruction = nullptr;           ///< on tensor memory: that has started it
  std::optional<TensorAccumulator> accumulator = {};  ///< of a tcgen05.mma
};

/// A position in the order of unrolled instructions: all iterations of a loop precede the code after the
/// loop, and all instructions of a call precede the code after the call.
using UnrolledPlace = std::vector<unsigned>;

/// The identity of an exchange within a warp: the instruction, and a constant membermask.
using ExchangeName = std::pair<std::string_view, std::uint64_t>;

/// All paths of a thread to one instruction in one iteration of each enclosing loop and in the same calls,
/// merged.
struct Path {
  Bits condition = Bits::boolean(true);
  ReadSets::Id control = 0;  ///< the reads that branches and guards depend on
  std::vector<UnfoldingFrame> frames;
  PrivateMemory memory;
  /// By address of a block: the condition that this thread has freed it.
  std::map<std::uint64_t, Bits> freed;
  std::uint64_t stack = 0;                 ///< the address of the next alloca
  std::map<ExchangeName, Bits> exchanges;  ///< the number of executions of each exchange so far, 32 bits
  /// The numbers of arrivals at barrier.cluster so far, which differ between merged paths.
  unsigned least_cluster_arrivals = 0, most_cluster_arrivals = 0;
  unsigned barriers_of_cta = 0;  ///< the largest number on the merged paths that it has executed
  Bits has_arrived_at_cluster = Bits::boolean(false);   ///< width 1: it has arrived and not waited since
  std::map<unsigned, StartedOperation> operations;      ///< by strand: Event::strand
  RegisterHazards hazards;                              ///< of asynchronous matrix products
  Bits knows_of_failed_request = Bits::boolean(false);  ///< width 1: see Effects
  Bits clock = Bits(64, 0), timer = Bits(64, 0);        ///< the last values that were read

  UnfoldingFrame& frame() { return frames.back(); }
  const UnfoldingFrame& frame() const { return frames.back(); }
};

/// Updates the loops of the innermost frame when the path goes to `node`, by a back edge or not.
void enter_loops(UnfoldingFrame&, Target node, bool is_back_edge);
UnrolledPlace place_of(const Path&, Target node);
/// Merges two paths to the same position.
void merge(Path& into, const Path& other, ReadSets&);

}  // namespace ptxmc
