#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc::kernel {

/// A point at which a thread waits for other threads of its warp or CTA.
struct Stop {
  enum class Kind : std::uint8_t {
    exchange,  ///< shfl, vote, match, redux, elect, instructions on matrices
    warp,      ///< bar.warp.sync
    cta,       ///< bar.sync for the whole CTA
  };
  Kind kind = Kind::exchange;
  std::string_view instruction;           ///< of an exchange: threads that meet have the same spelling
  bool is_aligned = false;                ///< of an exchange: they meet at the same place only
  ThreadGroup group = ThreadGroup::warp;  ///< of an exchange
  Bits mask;                              ///< the membermask of a warp; cta: the number of the barrier
  std::vector<Bits> values;               ///< exchange: the registers that the thread contributes
  std::vector<EventId> sources;           ///< the reads that `values` were computed from
  std::vector<EventId> control;           ///< exchange: the reads that decide whether the thread arrives
  /// exchange: the registers that the thread gets from each thread of its group, by rank and register, and by
  /// rank whether that thread takes part, if these are unknowns.
  std::vector<Bits> taken, present;
  EventId token = 0;       ///< in dependencies: represents the values of all threads of the group
  EventId presence = 0;    ///< in dependencies: represents the reads that decide whether the threads arrive
  bool is_certain = true;  ///< the thread has only one path, and this stop is on it
  Bits condition;          ///< exchange: the thread arrives, width 1
  Bits met;                ///< exchange: an unknown for "the others arrive"; width 0: they do
  unsigned step = 0;       ///< its position in program order
  Bits turn;               ///< exchange: the number of earlier exchanges with this mask, if it is a constant
  SourcePosition where;
  /// Exchange without a membermask, at which no thread waits: an unknown number, which is the same for
  /// threads that are active together at the same instruction in the same calls. Otherwise width 0.
  Bits together;
  std::vector<const Instruction*> calls;  ///< … these, and the instruction

  /// Whether threads at these stops execute the same instruction: with `.aligned` the one at the same place
  /// (PTX ISA 8.7 § 9.7.14), otherwise any of the same spelling.
  bool is_same_instruction(const Stop& other) const {
    return instruction == other.instruction && is_aligned == other.is_aligned &&
           (!is_aligned || (where.line == other.where.line && where.column == other.where.column));
  }
  bool waits() const { return together.width() == 0; }
  /// Whether the thread of this rank is awaited, if it has not exited; width 1.
  Bits awaits(unsigned rank) const {
    return group == ThreadGroup::warp ? mask.extract(rank, 1) : Bits::boolean(true);
  }
};

/// Whether a thread that waits at this barrier has a stop there: the threads that it waits for are known.
inline bool has_stop(const Barrier& barrier) {
  const bool waits = barrier.kind != Barrier::Kind::arrive && barrier.kind != Barrier::Kind::wait;
  const bool is_for_lanes = barrier.group == Barrier::Group::warp || barrier.group == Barrier::Group::cta;
  return waits && !barrier.count && is_for_lanes && barrier.id.is_constant() && !barrier.gathers_warp();
}

/// A thread of the same group that a thread may meet at an exchange.
struct Encounter {
  unsigned rank = 0;
  std::size_t stop = 0;             ///< of that thread
  Bits when = Bits::boolean(true);  ///< width 1: they meet if both arrive
};
using Meeting = std::vector<Encounter>;

/// A thread and the index of one of its stops.
struct StopOfThread {
  int thread = 0;
  std::size_t stop = 0;
};

}  // namespace ptxmc::kernel
