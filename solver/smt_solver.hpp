#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "semantics/bits.hpp"

namespace ptxmc {

/// A conversation with Z3 about the terms of one TermGraph.
class SmtSolver {
 public:
  struct Limits {
    double timeout_seconds = 0;      ///< in all, from the construction on; 0: none
    std::uint64_t memory_bytes = 0;  ///< of the process' solvers; 0: none
    const std::atomic<bool>* interrupted = nullptr;
  };
  enum class Result { satisfiable, unsatisfiable, unknown };
  /// What floating-point operations make of their operands.
  enum class FloatingPoint {
    by_examples,  ///< computed for the operands that Z3 tries; Z3's theory where a few of them settle nothing
    by_theory,    ///< Z3's theory alone: independent of our own arithmetic
  };

  explicit SmtSolver(const Limits&, FloatingPoint = FloatingPoint::by_examples);
  ~SmtSolver();
  SmtSolver(const SmtSolver&) = delete;
  SmtSolver& operator=(const SmtSolver&) = delete;

  /// A condition (width 1) that holds from now on.
  void add(const Bits& condition);
  /// Is there an assignment under which all added conditions and these hold?
  Result check(std::span<const Bits> assumptions = {});
  /// Why the last check was unknown: "timeout", "memory limit", "interrupted".
  const std::string& reason() const;
  /// After `satisfiable`: a constant for a variable.
  Bits value(VariableId, unsigned width) const;

 private:
  struct Conversation;
  std::unique_ptr<Conversation> conversation_;
};

}  // namespace ptxmc
