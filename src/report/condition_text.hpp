#pragma once

#include <string>

#include "model/program/proposition.hpp"
#include "src/report/names.hpp"

namespace ptxmc {

/// A proposition in herd's syntax, with no more parentheses than needed: `1:r0=1 /\ ([x]=2 \/ [x]=3)`.
std::string condition_text(const Proposition&, const Program&, Naming = Naming::herd);

/// `exists`, `~exists`, `forall`.
std::string quantifier_text(Quantifier);

/// What herd prints after `Condition `: `exists (1:r0=1 /\ 1:r1=0)`.
std::string question_text(const Question&, const Program&);

}  // namespace ptxmc
