#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "model/proposition.hpp"
#include "model/violation.hpp"
#include "solver/decide.hpp"

namespace ptxmc {

/// An axiom that a forbidden outcome needs to be forbidden.
struct BrokenAxiom {
  std::string name;
  Execution execution;               ///< of the outcome; it breaks this axiom
  bool breaks_no_other = true;       ///< all other axioms hold in it
  std::vector<RelatedPair> because;  ///< the cycle or pair that breaks it
};

/// A final value that a forbidden outcome claims, of a write that another follows in coherence order.
struct FollowedWrite {
  Execution execution;  ///< all axioms hold in it; the outcome would be its final state if `write` were last
  EventId write = 0;
  EventId later = 0;
  std::vector<RelatedPair> because;  ///< why `later` follows
};

/// Why a condition is forbidden: a minimal set of axioms that together forbid it (without any one of them it
/// is allowed), each with the execution that only it forbids. Where none is needed, coherence order may be
/// what decides. Nothing when the condition is not forbidden, or when no choice of the program leads to it at
/// all; `reason` says why when it is unknown.
struct Explanation {
  std::vector<BrokenAxiom> axioms;
  std::optional<FollowedWrite> followed;
  std::string reason;
};

Explanation explain_forbidden(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
