#pragma once

#include <functional>
#include <vector>

#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/resolved_test.hpp"
#include "src/litmus/thread_code.hpp"

namespace ptxmc {

/// The code of a thread with this number in the file. The source has no column.
using TranslateThread = std::function<ThreadCode(std::size_t thread, ThreadSource, MemoryLayout&, Mistakes&)>;

/// A test from its syntax: places threads, lays out memory, translates threads in their order and then the
/// question. Adds to the mistakes found before; throws InputErrors with all of them, and Unsupported.
LitmusTest resolve_threads(const litmus_syntax::File&, const SourceText&, const TranslateThread&, Mistakes);

/// The cells of each thread of a test of PTX; they belong to the file. A `;` that belongs to an instruction
/// (before a bar, or before the `;` of the row) does not end the row. Throws InputError for a row with too
/// few or too many columns.
std::vector<litmus_syntax::Column> columns_of(const litmus_syntax::File&, const SourceText&);

/// A test from its syntax and the code of each thread: places threads, lays out memory, translates code and
/// question. The caller handles comments and everything outside the syntax tree. Throws InputErrors with all
/// mistakes, and Unsupported.
LitmusTest resolve(const litmus_syntax::File&, const std::vector<litmus_syntax::Column>& code,
                   const SourceText&);

}  // namespace ptxmc
