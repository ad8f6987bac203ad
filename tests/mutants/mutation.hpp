#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"

namespace ptxmc {

/// A model with one place removed or weakened.
struct Mutant {
  std::string text;  ///< what was done: "without `rmw` in `rmw & fr`"
  cat::Place place;
  cat::Model model;
};

/// Every axiom left out; every definition empty; every `a | b`, `a & b` and `a \ b` without one of its
/// operands; `r?` and `r+` as `r`; `[S]; r` as `r`. A place that occurs several times is changed everywhere.
/// Files that the model includes are left alone: they are models of their own.
std::vector<Mutant> mutants_of(const cat::Model&);

}  // namespace ptxmc
