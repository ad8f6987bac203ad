#pragma once

#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"

namespace ptxmc::cat {

/// A model with one place removed or weakened.
struct Mutant {
  std::string text;  ///< what was done: "without `rmw` in `rmw & fr`"
  Place place;
  Model model;
};

/// Every axiom left out; every definition empty; every `a | b`, `a & b` and `a \ b` without one of its
/// operands; `r?` and `r+` as `r`; `[S]; r` as `r`. A place that occurs several times is changed everywhere.
/// Files that the model includes are left alone: they are models of their own.
std::vector<Mutant> mutants_of(const Model&);

/// The model without each line that can be taken out: without each axiom; with each definition empty; and of
/// a definition over several lines without each alternative, without what is intersected with it (`& r`), and
/// without what is subtracted from it (`\ r`). An expression that occurs several times is taken out
/// everywhere; if it occurs above the definition or has a predefined name, its place is that of the
/// definition. Files that the model includes are left alone.
std::vector<Mutant> without_each_line(const Model&);

/// Whether both models have the same axioms and the same coherence order, definition by definition. Then they
/// have the same executions; they may raise different flags.
bool have_same_axioms(const Model&, const Model&);

}  // namespace ptxmc::cat
