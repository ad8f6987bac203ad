#pragma once

#include <string>
#include <vector>

#include "model/program/proposition.hpp"
#include "solver/smt_engine/answers.hpp"
#include "src/litmus/strength_changes.hpp"

namespace ptxmc {

/// Ways to forbid an allowed outcome.
struct Strengthenings {
  /// Each set forbids the outcome, and none of its proper subsets does. If one or two changes suffice: all
  /// sets of the smallest size that are not a strengthening of another one. Otherwise one minimal set, or
  /// none.
  std::vector<std::vector<Strengthening>> sets;
  std::string reason;  ///< why the search is incomplete
};

/// Searches for changes that forbid an outcome that the model allows, by deciding the changed programs. The
/// changes are: a wider scope, relaxed for weak, acquire and release for relaxed, fence.sc for fence.acq_rel,
/// a fence between accesses, a proxy fence where there are proxies or aliases. Scopes are widened to the
/// narrowest scope that includes all threads.
Strengthenings find_strengthenings(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
