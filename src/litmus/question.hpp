#pragma once

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/memory_layout.hpp"
#include "src/litmus/thread_code.hpp"

namespace ptxmc {

/// The condition, the filter and the locations of a test with their names resolved. A register without a
/// declared type that is compared with floating-point numbers has the type of the operands that it is.
/// Mistakes: unknown thread, register, variable, element or instance; comparisons of different types.
Question translate_question(const litmus_syntax::File&, const std::vector<ThreadCode>&, const MemoryLayout&,
                            const SourceText&, Mistakes&);

}  // namespace ptxmc
