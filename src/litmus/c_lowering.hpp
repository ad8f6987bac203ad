#pragma once

#include "src/litmus/c_syntax.hpp"
#include "src/litmus/thread_code.hpp"

namespace ptxmc {

/// The instructions of a function: operations of the table of C++ (c_instructions.hpp), and computations of
/// PTX on registers of 64 bits. Local variables are registers. The source has no column. Wrong statements are
/// recorded in `Mistakes` and left out.
ThreadCode lower_c_function(const c_syntax::Function&, const ThreadSource&, const MemoryLayout&,
                            const SourceText&, Mistakes&);

}  // namespace ptxmc
