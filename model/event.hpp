#pragma once

#include <string>
#include <vector>

#include "model/program.hpp"
#include "semantics/bits.hpp"
#include "semantics/effects.hpp"

namespace ptxmc {

enum class EventKind : std::uint8_t { initial_write, read, write, fence, barrier };

/// An index into the events of an EventStructure or an Execution.
using EventId = int;

/// What one thread did to one location at one moment. A read-modify-write is two events, its read and
/// its write; a vector access is one event for each element.
struct Event {
  static constexpr int no_thread = -1;        ///< of the initial writes
  static constexpr EventId not_written = -2;  ///< `rmw` of a read whose write does not happen

  EventKind kind = EventKind::read;
  int thread = no_thread;
  /// Place in program order: events of one instruction have the same step. Program order relates the
  /// read of a read-modify-write to its write, but not the elements of a vector (PTX ISA 8.7 § 8.2.4).
  unsigned step = 0;
  Bits condition = Bits::boolean(true);  ///< width 1: the event happens

  Access access;      ///< read, write
  Bits address;       ///< virtual, 64 bits: read, write, initial_write; fence: as Fence::address
  Bits location;      ///< physical, 64 bits: differs from `address` for virtual aliases only
  unsigned size = 0;  ///< bytes
  /// Where an open location lies: in these bytes of memory. Size 0: anywhere.
  std::uint64_t region_first = 0, region_size = 0;
  Bits value;       ///< read or written, 8 * size bits; initial writes of unknown content are variables
  Fence fence;      ///< fence
  Barrier barrier;  ///< barrier
  Bits goes_on;     ///< barrier, where a thread may wait for ever: width 1, it does not

  /// The other half of a read-modify-write, -1 when it is none. A failed cas has a write that does not
  /// happen; in an Execution, where only what happened is an event, its read says `not_written`.
  EventId rmw = -1;
  Combination combines = Combination::none;  ///< the write of a read-modify-write: what it does

  /// Syntactic dependencies: the reads of this thread that address, value and occurrence came from.
  std::vector<EventId> address_dependencies, data_dependencies, control_dependencies;

  const Instruction* instruction = nullptr;  ///< none for initial writes

  bool is_read() const { return kind == EventKind::read; }
  bool is_write() const { return kind == EventKind::write || kind == EventKind::initial_write; }
  bool is_memory_access() const { return is_read() || is_write(); }
  /// A memory access may lie on one of these bytes of physical memory.
  bool may_touch(std::uint64_t first, std::uint64_t count) const {
    if (!location.is_constant() && region_size == 0) return true;
    const std::uint64_t start = location.is_constant() ? location.to_u64() : region_first;
    const std::uint64_t length = location.is_constant() ? size : region_size;
    return start < first + count && first < start + length;
  }
};

/// One way in which a thread may stop, and when.
struct Ending {
  enum class Kind : std::uint8_t {
    completed,
    bound_reached,  ///< a loop wanted another iteration; what follows was not unfolded
    spinning,       ///< an iteration that wrote nothing returned to the same live state
    trapped,
    waiting,       ///< at a barrier, for ever
    not_started,   ///< was never scheduled
    stray_access,  ///< an address outside all variables, or misaligned
    undefined,     ///< a barrier or an exchange used in a way that the manual leaves undefined
  };
  Kind kind = Kind::completed;
  Bits condition;
  unsigned first_step = 0;  ///< spinning: where the iteration began
  SourcePosition where;
  std::string message = {};  ///< what a trap, a stray access or an undefined use was; empty: nothing to say
};

/// A thread that ends so ends the whole launch: what other threads do afterwards is no finding.
constexpr bool ends_launch(Ending::Kind kind) {
  return kind == Ending::Kind::trapped || kind == Ending::Kind::stray_access ||
         kind == Ending::Kind::undefined;
}

/// Something wrong that a thread does on a path, which is neither an event nor an end: what happens in
/// memory of its own, say.
struct Violation {
  enum class Kind : std::uint8_t {
    uninitialized,  ///< a read of private memory that was not written
    out_of_bounds,  ///< a `free` of what cannot be freed
  };
  Kind kind = Kind::uninitialized;
  int thread = 0;
  Bits condition;     ///< width 1: the path on which it happens
  unsigned step = 0;  ///< its place in program order, as Event::step
  SourcePosition where;
  std::string message;
};

/// Everything that the threads of a program may do, with conditions; reads return unknowns.
/// Events are ordered by thread, then by step; initial writes come first.
struct EventStructure {
  const Program* program = nullptr;
  std::vector<Event> events;
  std::vector<std::vector<Ending>> endings;        ///< by thread; the conditions exclude each other
  std::vector<std::vector<Bits>> final_registers;  ///< by thread, then register
  std::vector<Violation> violations = {};
};

}  // namespace ptxmc
