#pragma once

#include <string>
#include <vector>

#include "model/proposition.hpp"
#include "solver/decide.hpp"

namespace ptxmc {

/// A change to one place of a program that allows less: a stronger instruction, or one inserted before it.
struct Strengthening {
  std::size_t thread = 0;
  Target instruction = 0;
  SourcePosition where;
  std::string before;  ///< the instruction as written
  std::string after;   ///< what replaces it, or comes before it
  bool is_inserted = false;
  Instruction made;  ///< what `after` means
  int strength = 0;  ///< weaker changes are tried first
};

/// Ways to forbid an allowed outcome.
struct Strengthenings {
  /// Each set forbids the outcome, and no part of it does. All sets of the smallest size, of one or two
  /// changes, where none of them can be had by weakening another; else one minimal set, or none.
  std::vector<std::vector<Strengthening>> sets;
  std::string reason;  ///< why the search ended before its end
};

/// Tries, decision by decision, which added strength forbids what the model allows: a wider scope, relaxed
/// for weak, acquire and release for relaxed, fence.sc for fence.acq_rel, a fence between accesses, a proxy
/// fence where there are proxies or aliases. Scopes are widened to the narrowest that has all threads.
Strengthenings find_strengthenings(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
