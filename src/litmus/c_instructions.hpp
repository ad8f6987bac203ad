#pragma once

#include <cstdint>

#include "semantics/language/instruction.hpp"
#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// The operations of C++ on memory, as instructions of the section `C++`: they have the order and scope of
/// the operation, seq_cst as `.sc`. Addresses have 64 bits. The opcode of a compare-and-swap names the order
/// of a failure: `cas_fails_relaxed`, `cas_fails_acquire`, `cas_fails_sc`. A weak one may fail for no reason:
/// `weak_cas_fails p` chooses that, and `weak_cas_reads` is what it reads then, in the order of a failure.
const InstructionSet& cpp_instructions();

/// A cuda::barrier is a word of 64 bits: from the lowest, how many threads are missing in this phase and how
/// many are expected in each, and above them the number of the phase. `barrier_arrive` returns the word
/// before it.
constexpr unsigned barrier_count_width = 16, barrier_phase = 2 * barrier_count_width;
constexpr std::uint64_t initial_barrier(std::uint64_t expected) {
  return expected | expected << barrier_count_width;
}

/// Whether the instruction is of a failure for no reason. The attempt itself is another one.
bool is_weak_failure(const Instruction&);

}  // namespace ptxmc
