#pragma once

#include <optional>

#include "solver/smt/products.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

/// A solver for terms of one graph in which unknowns are multiplied: products.hpp.
class ProductSolver {
 public:
  explicit ProductSolver(const SmtSolver::Limits& limits) : smt_(limits) {}

  /// Adds a condition (width 1) for all later checks.
  void add(const Bits& condition);
  /// Whether some assignment satisfies all added conditions and this one.
  SmtSolver::Result check(const Bits& condition);
  /// Why the last check was unknown.
  const std::string& reason() const { return smt_.reason(); }
  /// The values of the unknowns of the graph in the assignment found; after `satisfiable`.
  Substitution values() const;

 private:
  Products& products_of(const Bits& term);

  SmtSolver smt_;
  TermGraph* graph_ = nullptr;
  std::optional<Products> products_;
  bool are_defined_ = false;  // the products
};

}  // namespace ptxmc
