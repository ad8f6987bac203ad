#pragma once

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "solver/function_body.hpp"
#include "solver/private_memory.hpp"

namespace ptxmc {

/// How an iteration began.
struct IterationStart {
  unsigned step = 0;
  std::size_t clock = 0;  ///< among the clock values that the thread has read
  std::vector<Bits> registers;
  PrivateMemory memory;
  Bits acted = Bits::boolean(false);  ///< when something has been written, or a barrier met, since
};

/// One loop that a path is in.
struct LoopVisit {
  Target head = 0;
  unsigned iteration = 0;
  unsigned open_iterations = 0;        ///< those that the bound counts
  bool open = false;                   ///< this iteration could have been left on a condition that is open
  bool open_to_reads = false;          ///< … and that comes from what was read, not from inputs alone
  std::vector<IterationStart> starts;  ///< of this iteration, and of those before that were open to reads
};

/// A function that a path is in.
struct UnfoldingFrame {
  const FunctionBody* body = nullptr;
  std::vector<Bits> registers;
  std::vector<ReadSets::Id> sources;  ///< by register: the reads that its value came from
  std::vector<LoopVisit> loops;
  Target call = 0;          ///< of frames below the innermost: the call that it is in
  Bits condition_at_entry;  ///< of the path
  std::uint64_t stack_at_entry = 0;
  unsigned open_calls = 0;  ///< calls of this function by itself on an open condition, which the bound counts
};

/// Orders the unrolled instructions: all iterations of a loop come before what follows it, all of a call
/// before what follows it.
using UnrolledPlace = std::vector<unsigned>;

/// What tells exchanges within a warp apart: the instruction, and a membermask that is a number.
using ExchangeName = std::pair<std::string_view, std::uint64_t>;

/// All paths of a thread that lead to one instruction in one iteration of each loop around it, and through
/// the same calls.
struct Path {
  Bits condition = Bits::boolean(true);
  ReadSets::Id control = 0;  ///< the reads that branches and guards have looked at
  std::vector<UnfoldingFrame> frames;
  PrivateMemory memory;
  std::map<std::uint64_t, Bits> freed;     ///< by address of a block: when this thread has freed it
  std::uint64_t stack = 0;                 ///< where alloca allocates next
  std::map<ExchangeName, Bits> exchanges;  ///< how often the thread has come to them, 32 bits
  unsigned cluster_arrivals = 0;           ///< at barrier.cluster, at least
  Bits has_arrived_at_cluster = Bits::boolean(false);  ///< … and has not waited there since
  Bits clock = Bits(64, 0), timer = Bits(64, 0);       ///< the last that were read

  UnfoldingFrame& frame() { return frames.back(); }
  const UnfoldingFrame& frame() const { return frames.back(); }
};

/// The loops of the innermost frame when the path goes to `node`, by a back edge or not.
void enter_loops(UnfoldingFrame&, Target node, bool is_back_edge);
UnrolledPlace place_of(const Path&, Target node);
/// Both lead to the same place.
void merge(Path& into, const Path& other, ReadSets&);

}  // namespace ptxmc
