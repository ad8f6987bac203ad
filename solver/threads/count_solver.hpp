#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solver/smt/product_solver.hpp"
#include "solver/threads/open_group.hpp"

namespace ptxmc {

/// A solver for terms in which unknowns stand for numbers of bits. A solver that adds bit by bit does not
/// find in useful time that a part of a mask has fewer bits. So only some facts are known of these numbers.
/// In an assignment one may have a wrong value, which is then excluded by a further fact.
class CountSolver {
 public:
  /// As of ProductSolver.
  CountSolver(TermGraph& graph, const SmtSolver::Limits& limits, const Bits& preferred,
              const CountSolver* beside = nullptr)
      : solver_(graph, limits, preferred, beside != nullptr ? &beside->solver_ : nullptr) {}

  /// Adds unknowns, and what is known of them; of two of them, if they are given together and are not too
  /// many.
  void define(std::span<const BitCount>);
  void add(const Bits& condition) { solver_.add(condition); }
  SmtSolver::Result check(const Bits& condition) {
    return corrected([&] { return solver_.check(condition); });
  }
  SmtSolver::Result check_within(double seconds, const Bits& condition) {
    return corrected([&] { return solver_.check_within(seconds, condition); });
  }
  const std::string& reason() const { return solver_.reason(); }
  Substitution values() const { return solver_.values(); }

 private:
  SmtSolver::Result corrected(const std::function<SmtSolver::Result()>& check);
  Bits corrections(Substitution& values) const;

  ProductSolver solver_;
  std::vector<BitCount> counts_;
  unsigned wrong_ = 0;  // how many assignments were wrong
};

}  // namespace ptxmc
