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
  Bits mask;               ///< the membermask of a warp; cta: the number of the barrier
  bool is_certain = true;  ///< the thread has only one path, and this stop is on it

  // The rest is about exchanges.

  /// Threads that meet have the same form.
  struct Form {
    std::string_view instruction;  ///< its spelling
    bool is_aligned = false;       ///< they meet at the same place only
    ThreadGroup group = ThreadGroup::warp;
    SourcePosition where;
  };
  Form form;

  struct Arrival {
    Bits condition;                ///< the thread arrives, width 1
    unsigned step = 0;             ///< its position in program order
    Bits turn;                     ///< the number of earlier exchanges with this mask, if it is a constant
    Bits met;                      ///< an unknown for "the others arrive"; width 0: they do
    std::vector<EventId> control;  ///< the reads that decide whether the thread arrives
    EventId presence = 0;  ///< in dependencies: represents the reads that decide whether the threads arrive
  };
  Arrival arrival;

  /// What the thread gives to the others.
  struct Given {
    std::vector<Bits> values;      ///< registers
    std::vector<EventId> sources;  ///< the reads that they were computed from
    EventId token = 0;             ///< in dependencies: represents the values of all threads of the group
  };
  Given given;

  /// Unknowns for what the thread gets; width 0: it is known.
  struct Got {
    std::vector<Bits> taken;    ///< the registers of each thread of the group, by rank and register
    std::vector<Bits> present;  ///< by rank: that thread takes part
  };
  Got got;

  /// Of an exchange without a membermask, at which no thread waits.
  struct Active {
    /// An unknown number, which is the same for threads that are active together at the same instruction in
    /// the same calls. Width 0: the exchange has a membermask.
    Bits together;
    std::vector<const Instruction*> calls;  ///< these, and the instruction
  };
  Active active;

  /// Whether threads at these stops execute the same instruction: with `.aligned` the one at the same place
  /// (PTX ISA 8.7 § 9.7.14), otherwise any of the same spelling.
  bool is_same_instruction(const Stop& other) const {
    const Form& its = other.form;
    return form.instruction == its.instruction && form.is_aligned == its.is_aligned &&
           (!form.is_aligned || (form.where.line == its.where.line && form.where.column == its.where.column));
  }
  bool waits() const { return active.together.width() == 0; }
  /// Whether the thread of this rank is awaited, if it has not exited; width 1.
  Bits awaits(unsigned rank) const {
    return form.group == ThreadGroup::warp ? mask.extract(rank, 1) : Bits::boolean(true);
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
