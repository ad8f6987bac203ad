#pragma once

#include "model/program.hpp"
#include "model/proposition.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/memory_layout.hpp"

namespace ptxmc {

/// The condition, the filter and the locations of a test with their names resolved.
/// Mistakes: unknown thread, register, variable, element or instance.
Question translate_question(const litmus_syntax::File&, const std::vector<Thread>&, const MemoryLayout&,
                            const SourceText&, Mistakes&);

}  // namespace ptxmc
