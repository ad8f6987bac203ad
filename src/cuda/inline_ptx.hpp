#pragma once

#include <span>
#include <string>

#include "src/cuda/gpu_placement.hpp"

namespace ptxmc {

/// A variable's element at an address of the test, as launches of it on a GPU see it.
struct VariableAt {
  std::size_t variable = 0;
  std::uint64_t offset = 0;  ///< bytes
};

/// The variable at an address of the test; empty if there is none.
std::optional<VariableAt> variable_at(const Program&, std::uint64_t address);

/// The code of a thread as lines of PTX for an `asm` statement of CUDA, in braces. Its operands are 64 bits
/// each: %0 the global memory of the execution, %1 the generic address of the CTA's shared memory, %2 its
/// address in the window of shared memory, and %3 an array, to which the values of the thread's registers
/// among `shown` are written at their indices. Throws Unsupported, with the line, for instructions that PTX
/// does not have or that have another meaning when each thread is alone in its warp.
std::string inline_ptx(const Program&, std::size_t thread, const GpuPlacement&,
                       std::span<const FinalTerm> shown);

/// The architecture of GPUs, as nvcc names it, that has all instructions of a test, from sm_80 on: `sm_90`.
std::string architecture_for(const Program&, const GpuPlacement&);

}  // namespace ptxmc
