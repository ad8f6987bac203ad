#pragma once

#include <span>
#include <vector>

#include "semantics/language/instruction.hpp"

namespace ptxmc::kernel {

/// By instruction: whether an operand of wmma.mma or wmma.store is, on every path, the fragment of a matrix
/// of another shape, layout or element type, which has another, unspecified distribution (PTX ISA 8.7 §
/// 9.7.14.4.1). Fragments are followed through registers and `mov`, not through memory or calculations.
std::vector<bool> uses_of_other_fragments(std::span<const Instruction> code, std::size_t registers);

}  // namespace ptxmc::kernel
