#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/program/event.hpp"
#include "solver/threads/open_group.hpp"

namespace ptxmc {

/// Bytes of memory that were allocated together, as an open thread sees them.
struct OpenMemory {
  std::string name;
  std::uint64_t first = 0, size = 0;  ///< locations
  bool is_shared = false;             ///< each CTA has its own
  bool is_initialized = false;        ///< the launch gives its whole content
};

/// An exchange in which all lanes of a membermask must take part.
struct OpenExchange {
  Bits condition;  ///< width 1
  std::uint32_t members = 0;
  unsigned step = 0;  ///< as in Event
  SourcePosition where;
};

/// Iterations of a loop of which the open thread executes some of any number: the others are not among its
/// events.
struct SkippedIterations {
  unsigned step = 0;            ///< they are just before the events of this step, as in Event
  unsigned first = 0, end = 0;  ///< the steps of the iterations that are executed: they may do the same
  /// Width 1: iterations are skipped here, and each passes a barrier of the CTA. Two iterations are executed
  /// behind them, the same ones by all threads of the CTA.
  Bits pass_barriers = Bits::boolean(false);
  Bits is_reached = {}, goes_on = {};  ///< then, width 1: the first one begins, and the second one does
};

/// One thread whose position in the launch is unknown, so that its events stand for those of all threads. A
/// value that it reads is unknown too, unless no thread writes it.
struct OpenThread {
  Program program;           ///< of this one thread
  EventStructure structure;  ///< of `program`
  std::vector<OpenExchange> exchanges;
  std::vector<OpenGroup> groups;
  std::vector<GroupExchange> group_exchanges;
  std::vector<BitCount> counts;  ///< of masks of groups, and parts of them
  std::vector<SkippedIterations> skipped;
  /// Numbers of iterations: unknowns that have one value for all threads of a CTA.
  std::set<VariableId> common_iterations;
  std::vector<Bits> iterations;           ///< numbers of iterations, of which findings prefer the first
  std::vector<Bits> carried;              ///< values that go from one iteration to skipped ones
  Bits facts = Bits::boolean(true);       ///< width 1: true in every execution
  std::array<Bits, 3> tid, ctaid;         ///< 32 bits; 0 where the launch has one thread or CTA
  Bits number;                            ///< in its CTA, 32 bits; its warp has the number of 32 threads
  Bits is_thread = Bits::boolean(true);   ///< width 1: the launch has a thread at this position
  Bits assumption = Bits::boolean(true);  ///< width 1, over `shared`
  std::set<VariableId> shared;            ///< the unknowns that have one value for all threads
  std::array<Bits, 3> ntid, nctaid;       ///< 32 bits: the size of the launch
  Bits threads_in_cta, all_threads;       ///< 64 bits: how many threads a CTA and the launch have
  /// The numbers of all threads and CTAs; of a launch of any size the largest that it may have.
  std::uint64_t ctas = 1, threads_of_cta = 1, most_threads = 1;
  bool has_open_block = false, has_open_grid = false;  ///< then threads cannot be enumerated
  /// The size, and scalars on which the size of memory depends: unknowns, which findings name.
  std::vector<Bits> open_sizes;
  std::vector<OpenMemory> memory;
  std::vector<Bits> inputs;  ///< by parameter: a scalar of any value; otherwise width 0
  /// By location and size in bytes: the initial content of global memory that is read at a constant location,
  /// where the launch gives it.
  std::map<std::pair<std::uint64_t, unsigned>, Bits> initial_values;

  OpenThread() = default;
  OpenThread(const OpenThread&) = delete;
  OpenThread& operator=(const OpenThread&) = delete;
};

/// Whether a thread may execute this step more than once.
bool is_repeated(const OpenThread&, unsigned step);
/// Whether a step is in a loop of which threads of a CTA execute the same iterations.
bool is_in_lockstep(const OpenThread&, unsigned step);
/// The smallest scope that contains all threads of the launch.
Scope scope_of_all(const OpenThread&);
/// The condition that a launch of open size is small, for which the solver finds assignments soon; constant
/// true if the size is known.
Bits has_few_threads(const OpenThread&);
/// The values of `tid` for the thread with this number in its CTA. The size of the block is known, and below
/// also that of the grid.
Substitution position_in_cta(const OpenThread&, std::uint64_t number);
/// The values of `tid` and `ctaid` for a thread of the CTA with this number.
Substitution position_in_launch(const OpenThread&, std::uint64_t cta, std::uint64_t number);

}  // namespace ptxmc
