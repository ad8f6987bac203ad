#pragma once

#include <cstdint>
#include <memory>

#include "solver/smt/products.hpp"
#include "solver/smt/smt_solver.hpp"

namespace ptxmc {

/// A solver for terms of one graph in which unknowns are multiplied: products.hpp.
class ProductSolver {
 public:
  /// Among large numbers an assignment is hard to find, so that one which satisfies `preferred` (width 1) is
  /// looked for first, by a solver of its own. `beside` is a solver that is used in the same thread.
  explicit ProductSolver(TermGraph&, const SmtSolver::Limits&, const Bits& preferred = Bits::boolean(true),
                         const ProductSolver* beside = nullptr);

  /// Adds a condition (width 1) for all later checks.
  void add(const Bits& condition);
  /// Whether some assignment satisfies all added conditions and this one.
  SmtSolver::Result check(const Bits& condition);
  /// The same within so many seconds; later checks are not affected.
  SmtSolver::Result check_within(double seconds, const Bits& condition);
  /// Why the last check was unknown.
  const std::string& reason() const { return smt_.reason(); }
  /// The values of the unknowns of the graph in the assignment found, of all that exist by now; after
  /// `satisfiable`.
  Substitution values() const;

 private:
  void add_here(const Bits& condition);
  void limit_checks(double seconds);
  SmtSolver::Result check_all(const Bits& condition);

  SmtSolver smt_;
  TermGraph& graph_;
  Products products_;
  bool are_defined_ = false;  // the products
  std::unique_ptr<ProductSolver> preferred_;
  bool is_preferred_ = false;  // the last answer
  /// After some tries in vain, in a proof of many questions, the next ones are rarer.
  std::uint64_t in_vain_ = 0, checks_until_preferred_ = 0;
};

}  // namespace ptxmc
