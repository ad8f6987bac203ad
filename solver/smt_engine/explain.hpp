#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/judge/violation.hpp"
#include "model/program/execution.hpp"
#include "model/program/proposition.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// An axiom without which a forbidden outcome would be allowed.
struct BrokenAxiom {
  std::string name;
  Execution execution;               ///< an execution with the outcome, which breaks this axiom
  bool breaks_no_other = true;       ///< all other axioms hold in it
  std::vector<RelatedPair> because;  ///< the cycle or pair that breaks it
};

/// A final value of a forbidden outcome whose write is followed by another write in coherence order.
struct FollowedWrite {
  Execution execution;  ///< all axioms hold in it; it would have the outcome if `write` were last
  EventId write = 0;
  EventId later = 0;
  std::vector<RelatedPair> because;  ///< why `later` follows `write`
};

/// Why a condition is forbidden: a minimal set of axioms that together forbid it (without any one of them it
/// is allowed), each with an execution that only this axiom forbids. If the set is empty, coherence order may
/// exclude the final values. Everything is empty if the condition is not forbidden, or if no choice of
/// sources gives it; `reason` is set if it is unknown.
struct Explanation {
  std::vector<BrokenAxiom> axioms;
  std::optional<FollowedWrite> followed;
  std::string reason;
};

Explanation explain_forbidden(const CandidateExecutions&, const Question&, const cat::Model&,
                              const DecideOptions&, TermGraph&);
/// The same for a program.
Explanation explain_forbidden(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
