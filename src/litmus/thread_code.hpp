#pragma once

#include <span>

#include "model/program.hpp"
#include "src/litmus/input_errors.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/memory_layout.hpp"

namespace ptxmc {

/// What a thread is made from.
struct ThreadSource {
  litmus_syntax::ThreadHeader header;
  Placement placement;
  std::size_t cta = 0;  ///< for the instances of shared variables
  std::vector<litmus_syntax::Cell> column;
  std::vector<litmus_syntax::RegisterInitialisation> registers;
};

/// Makes the dialect's instructions into those of PTX (`beq a, b, L` into `setp` and `bra`, `goto` into
/// `bra`, `add` into `add.s64`, `ld r, v` into `mov`) or of the dialect's own table, and resolves labels,
/// registers and locations. Locations that nothing declares become variables. Wrong instructions are
/// mistakes, and left out.
Thread translate_thread(const ThreadSource&, MemoryLayout&, const SourceText&, Mistakes&);

}  // namespace ptxmc
