#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/generator/cycle.hpp"
#include "src/generator/thread_placement.hpp"

namespace ptxmc::generator {

/// A litmus test that shows the execution of a cycle.
struct CycleTest {
  Cycle cycle;  ///< observable, and begun at the first access of a thread
  ThreadPlaces places;
};

/// The text of the test in the litmus format, with the cycle in a comment. Its condition is true in exactly
/// those final states that the execution of the cycle has: the values of the reads, and the last write of
/// each location where coherence edges say which it is. `notes` are further lines of the comment: "expect
/// ptx-8.7 allowed".
std::string text_of(const CycleTest&, const std::string& name, std::span<const std::string> notes = {});

/// The number of instructions of the test that access memory or are fences or barriers. The arithmetic of
/// dependencies does not count, and the two accesses of a read-modify-write are one instruction.
unsigned instructions_of(const Cycle&);
/// The instructions that an edge adds to a cycle: its first access, and its fence.
unsigned instructions_of(const Edge&);

}  // namespace ptxmc::generator
