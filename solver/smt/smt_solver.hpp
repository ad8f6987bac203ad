#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// A Z3 solver for the terms of one TermGraph.
class SmtSolver {
 public:
  struct Limits {
    double timeout_seconds = 0;      ///< in total, from construction on; 0: none
    std::uint64_t memory_bytes = 0;  ///< of all solvers in the process; 0: none
    const std::atomic<bool>* interrupted = nullptr;
  };
  enum class Result { satisfiable, unsatisfiable, unknown };
  /// How floating-point operations are decided.
  enum class FloatingPoint {
    by_examples,  ///< computed for the operands that Z3 tries; after a few tries by Z3's theory
    by_theory,    ///< only Z3's theory, which is independent of semantics/
  };

  /// A solver that is only used in the thread of another one can share its context: creating a context takes
  /// longer than many questions.
  explicit SmtSolver(const Limits&, FloatingPoint = FloatingPoint::by_examples,
                     const SmtSolver* beside = nullptr);
  ~SmtSolver();
  SmtSolver(const SmtSolver&) = delete;
  SmtSolver& operator=(const SmtSolver&) = delete;

  /// Adds a condition (width 1) for all later checks.
  void add(const Bits& condition);
  /// Whether some assignment satisfies all added conditions and the assumptions.
  Result check(std::span<const Bits> assumptions = {});
  /// All checks from now on end within so many seconds together, besides the limits; 0: the limits alone.
  void limit_checks(double seconds);
  /// Why the last check was unknown: "timeout", "memory limit", "interrupted".
  const std::string& reason() const;
  /// The value of a variable in the assignment found; after `satisfiable`.
  Bits value(VariableId, unsigned width) const;

 private:
  struct Conversation;
  std::unique_ptr<Conversation> conversation_;
};

}  // namespace ptxmc
