#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "semantics/language/effects.hpp"
#include "semantics/language/misuse.hpp"
#include "semantics/values/bits.hpp"

namespace ptxmc {

struct CopiedBytes;  // copied_bytes.hpp

enum class EventKind : std::uint8_t {
  initial_write,
  read,
  write,
  fence,
  barrier,
  /// A wait has ended: for a phase of an mbarrier (its read is another event of the instruction), or for
  /// groups of asynchronous operations.
  wait,
};

/// An index into the events of an EventStructure or an Execution.
using EventId = int;

/// An id of an event or a thread, which is not negative, as an index of a vector.
constexpr std::size_t index(int number) { return static_cast<std::size_t>(number); }

/// The events of tcgen05.fence, which order accesses to tensor memory (PTX ISA 8.7 § 9.7.16.5.3). `before`:
/// tcgen05.ld and tcgen05.st that the thread has waited for are complete (Event::completes), and other
/// operations have been started (Event::started). `after`: see is_before_start.
enum class TensorFence : std::uint8_t { none, before, after };

/// An asynchronous operation whose completion precedes an event.
struct Completion {
  unsigned strand = 0;      ///< of the same thread: Event::strand
  Bits condition;           ///< width 1: the event waits for it
  bool only_reads = false;  ///< its reads are complete
  /// The strands that are complete together with it, by thread: several threads start one operation, for
  /// example a matrix product of a warpgroup. Null: it is the operation of one thread.
  std::shared_ptr<const std::map<int, unsigned>> together = {};

  /// Calls `visit` with the thread and the number of each strand that is complete; `thread` is that of the
  /// event.
  template <class Visit>
  void for_each_strand(int thread, const Visit& visit) const {
    visit(thread, strand);
    if (together == nullptr) return;
    for (const auto& [other, its_strand] : *together)
      if (other != thread) visit(other, its_strand);
  }
  /// The strand of a thread that is complete with it, 0 if there is none; `own` is the thread of the event.
  unsigned strand_of(int thread, int own) const {
    if (thread == own) return strand;
    if (together == nullptr) return 0;
    const auto found = together->find(thread);
    return found == together->end() ? 0 : found->second;
  }
};

/// One operation of one thread on one location. A read-modify-write is two events, its read and its write; a
/// vector access is one event for each element.
struct Event {
  static constexpr int no_thread = -1;        ///< of the initial writes
  static constexpr EventId not_written = -2;  ///< `rmw` of a read whose write does not happen

  EventKind kind = EventKind::read;
  int thread = no_thread;
  /// The position in program order: events of one instruction have the same step. Program order relates the
  /// read of a read-modify-write to its write, but not the elements of a vector (PTX ISA 8.7 § 8.2.4).
  unsigned step = 0;
  /// The asynchronous operation of the thread that performs it; 0: the thread itself. Its operations are not
  /// in program order; among each other they are in the order of the structure (PTX ISA 8.7 § 8.9.1.1).
  unsigned strand = 0;
  Bits condition = Bits::boolean(true);  ///< width 1: the event happens

  Access access;      ///< read, write, initial_write; wait: its order and scope
  Bits address;       ///< virtual, 64 bits: read, write, initial_write; fence: as Fence::address
  Bits location;      ///< physical, 64 bits: differs from `address` for virtual aliases only
  unsigned size = 0;  ///< bytes
  /// The bytes of memory that contain an open location. Size 0: anywhere.
  std::uint64_t region_first = 0, region_size = 0;
  /// If the access is to shared memory, all threads of this CTA may have ended before, unless an event of one
  /// of them follows it: PTX ISA 8.7 § 2.2.2.
  bool may_outlive_cta = false;
  Bits value;       ///< read or written, 8 * size bits; initial writes of unknown content are variables
  Fence fence;      ///< fence
  Barrier barrier;  ///< barrier
  Bits goes_on;     ///< barrier, if a thread may wait for ever: it does not, width 1

  /// The other half of a read-modify-write, or -1. A failed cas has a write that does not happen; in an
  /// Execution, which has only events that happened, its read has `not_written`.
  EventId rmw = -1;
  Combination combines = Combination::none;  ///< the write of a read-modify-write: its operation

  /// Syntactic dependencies: the reads of this thread on which address, value and occurrence depend.
  std::vector<EventId> address_dependencies, data_dependencies, control_dependencies;

  /// The operations, of the thread or with others, that are complete before a wait for groups, or before the
  /// arrival of cp.async.mbarrier.arrive.
  std::vector<Completion> completes;
  TensorFence tensor_fence = TensorFence::none;  ///< wait
  /// TensorFence::before: the strands of the thread before which operations that are performed in order with
  /// them cannot come any more. They need not be complete.
  std::vector<unsigned> started;

  const Instruction* instruction = nullptr;  ///< null for initial writes
  /// Its number among all events of the launch: parts of the structure and executions number their own events
  /// anew. -1 in structures without CopiedBytes.
  int unfolded = -1;

  bool is_read() const { return kind == EventKind::read; }
  bool is_write() const { return kind == EventKind::write || kind == EventKind::initial_write; }
  bool is_memory_access() const { return is_read() || is_write(); }
  /// Whether a memory access may overlap these bytes of physical memory.
  bool may_touch(std::uint64_t first, std::uint64_t count) const {
    if (!location.is_constant() && region_size == 0) return true;
    const std::uint64_t start = location.is_constant() ? location.to_u64() : region_first;
    const std::uint64_t length = location.is_constant() ? size : region_size;
    return start < first + count && first < start + length;
  }
};

/// A possible ending of a thread, with its condition.
struct Ending {
  enum class Kind : std::uint8_t {
    completed,
    /// The rest was not unfolded: a loop needs another iteration, or for the reason in `message`.
    bound_reached,
    spinning,  ///< an iteration that wrote nothing returned to the same live state
    trapped,
    waiting,       ///< waits at a barrier for ever
    not_started,   ///< was never scheduled
    stray_access,  ///< an address outside all variables, or misaligned
    undefined,     ///< a barrier or an exchange used in a way that the manual leaves undefined
  };
  Kind kind = Kind::completed;
  Bits condition;
  /// spinning: the beginning of the iteration; waiting: the barrier; trapped: the step behind the trap;
  /// stray_access: the access, where it is known.
  unsigned first_step = 0;
  SourcePosition where;
  std::string message = {};           ///< describes what has ended the thread; may be empty
  std::optional<ObjectUse> use = {};  ///< undefined: the use
};

/// Whether a thread that ends in this way ends the whole launch, so that later operations of other threads
/// are no findings.
constexpr bool ends_launch(Ending::Kind kind) {
  return kind == Ending::Kind::trapped || kind == Ending::Kind::stray_access ||
         kind == Ending::Kind::undefined;
}

/// A violation by a thread on a path that is neither an event nor an ending, for example in private memory.
struct Violation {
  enum class Kind : std::uint8_t {
    uninitialized,  ///< a read of private memory that was not written
    out_of_bounds,  ///< a `free` of an address that cannot be freed
  };
  Kind kind = Kind::uninitialized;
  int thread = 0;
  Bits condition;     ///< width 1: the path on which it happens
  unsigned step = 0;  ///< its position in program order: see Event::step
  SourcePosition where;
  std::string message;
  /// uninitialized, until CopiedBytes are known: the value that is read, and by byte whether it was written.
  Bits value = {};
  std::vector<Bits> is_written = {};
};

/// All events that the threads of a program may perform, with conditions; reads return unknowns. Events are
/// ordered by thread, then by step; initial writes come first.
struct EventStructure {
  const Program* program = nullptr;
  std::vector<Event> events;
  std::vector<std::vector<Ending>> endings;        ///< by thread; the conditions exclude each other
  std::vector<std::vector<Bits>> final_registers;  ///< by thread, then register
  std::vector<Violation> violations = {};
  /// The unknowns that stand for private memory that has not been written.
  std::vector<VariableId> unwritten = {};
  /// Null if all bytes that are read have a value.
  std::shared_ptr<const CopiedBytes> copied = {};
};

}  // namespace ptxmc
