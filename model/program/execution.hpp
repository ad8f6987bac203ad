#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/program/event.hpp"
#include "model/program/named_relations.hpp"

namespace ptxmc {

/// A read takes the bytes [first, first + count) of memory (physical) from a write.
struct ReadsFrom {
  EventId read = 0;
  EventId write = 0;
  std::uint64_t first = 0;
  unsigned count = 0;
};

/// The numbers of misused phases (BarrierPhase::is_misused) are this one and those below.
constexpr int last_misused_phase = -2;

/// Events that happened, and what was chosen among them. All Bits are constants.
struct Execution {
  const Program* program = nullptr;
  std::vector<Event> events;  ///< all happened; ordered by thread, then by step; initial writes first
  std::vector<ReadsFrom> reads_from;
  /// The choice of each `with name from …` of the model.
  std::map<std::string, Pairs> choices;
  /// By event: the number of its phase; -1: no barrier, or a phase that never completes. A misused phase has
  /// a number of its own (last_misused_phase) and does not complete either: its arrivals are those up to the
  /// misuse.
  std::vector<int> barrier_phase;
  /// By thread, how it ends; empty optional: it has not ended yet. An empty vector: unknown.
  std::vector<std::optional<Ending::Kind>> endings;
  /// By thread that has ended with an undefined use: this use.
  std::map<int, ObjectUse> undefined_uses = {};
  std::vector<std::vector<Bits>> final_registers;  ///< by thread, then register
  std::vector<std::vector<Bits>> final_memory;     ///< by variable, then element
  NamedRelations relations;                        ///< for reports: co, fr, synchronizes, …
};

}  // namespace ptxmc
