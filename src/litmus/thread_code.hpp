#pragma once

#include <optional>
#include <set>
#include <span>

#include "model/program/program.hpp"
#include "src/litmus/input_errors.hpp"
#include "src/litmus/litmus_syntax.hpp"
#include "src/litmus/memory_layout.hpp"

namespace ptxmc {

/// The source of a thread.
struct ThreadSource {
  litmus_syntax::ThreadHeader header;
  Placement placement;
  std::size_t cta = 0;  ///< for the instances of shared variables
  std::span<const litmus_syntax::Cell* const> column;
  std::vector<litmus_syntax::RegisterInitialisation> registers;
};

/// The floating-point types of a register. A register without a type holds an integer, unless the question
/// compares it with a floating-point number.
struct RegisterFormats {
  std::optional<FloatFormat> declared;
  std::set<FloatFormat> used;  ///< of the operands that name the register

  /// The declared one, or else the only one that is used.
  std::optional<FloatFormat> known() const {
    if (declared || used.size() != 1) return declared;
    return *used.begin();
  }
};

struct ThreadCode {
  Thread thread;
  std::vector<RegisterFormats> formats;  ///< by register
};

/// Translates instructions of the dialect into those of PTX (`beq a, b, L` into `setp` and `bra`, `goto` into
/// `bra`, `add` into `add.s64`, `ld r, v` into `mov`) or of the dialect's table, and resolves labels,
/// registers and locations. Undeclared locations become variables. Wrong instructions are recorded in
/// `Mistakes` and left out.
ThreadCode translate_thread(const ThreadSource&, MemoryLayout&, const SourceText&, Mistakes&);

}  // namespace ptxmc
