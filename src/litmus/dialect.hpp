#pragma once

#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

/// The instructions of litmus tests that PTX does not have: accesses through the texture, surface and
/// constant proxy without texture references, reductions that acquire, subtraction, multiplication and
/// division as atomic operations, fences of those proxies, and barriers that carry a number of their position
/// in the text. They are not part of the catalogue of PTX.
const InstructionSet& litmus_dialect();

}  // namespace ptxmc
