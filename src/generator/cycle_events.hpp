#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "src/generator/cycle.hpp"

namespace ptxmc::generator {

/// An access of a cycle in a test.
struct CycleEvent {
  unsigned thread = 0;
  unsigned location = 0;
  unsigned value = 0;  ///< that a write stores: 1, 2, … by location
  std::optional<unsigned>
      reads;  ///< the value that a read has in the execution of the cycle, if an edge says it
};

/// The execution that a cycle describes.
struct CycleExecution {
  std::vector<CycleEvent> events;  ///< by step
  unsigned threads = 0, locations = 0;
  /// By location: its final value, if coherence edges say which write is the last one.
  std::vector<std::optional<unsigned>> final_values;
};

/// The cycle, begun at the first access of a thread: at its first step that follows an edge between threads.
/// If there is one thread, the last edge is one of communication, which contradicts program order.
Cycle from_first_access(const Cycle&);

/// The number of threads of a cycle.
unsigned threads_of(const Cycle&);

/// Whether final values and the results of reads can show the coherence edges of the cycle: they show the
/// last write of a location, not the order of the writes before it.
bool is_observable(const Cycle&);

/// The execution of an observable cycle that begins at the first access of a thread.
CycleExecution execution_of(const Cycle&);

}  // namespace ptxmc::generator
