#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/smt_engine/explain.hpp"
#include "src/compiler/pair_reduction.hpp"
#include "src/compiler/refinement.hpp"

namespace ptxmc {

/// A decided comparison with what its report names.
struct RefinementReport {
  std::string source, target;              ///< files
  std::string source_text, target_text;    ///< files with the instructions: a test, or the module of a launch
  std::string source_model, target_model;  ///< names
  std::vector<std::string> observed;       ///< the names of the source
  Refinement refinement;
  std::optional<Explanation> explanation;  ///< why the source forbids the first extra outcome
  double seconds = 0;
};

/// "refines", "refines (vacuous: …)", "differs", "unknown (loop bound 2)".
std::string refinement_verdict(const RefinementReport&);

/// `1:r0=1; x=2;`
std::string outcome_text(const Outcome&, const std::vector<std::string>& observed);

/// The verdict; for a difference the outcomes, an execution of the target, and the axioms of the source that
/// forbid it. With `strict` also the outcomes that the target has lost.
std::string refinement_text(const RefinementReport&, const cat::Model& source_model, bool strict);

/// The names of the columns of refinement_csv.
inline constexpr char refinement_csv_header[] =
    "source,target,source_model,target_model,verdict,vacuous,reason,extra,missing,axiom,time_s";

/// The comparison as a line of comma-separated values (RFC 4180), without the newline. `extra` has `|`
/// between outcomes.
std::string refinement_csv(const RefinementReport&);

/// The comparison as one JSON object on one line, without the newline. The keys and their order are stable
/// across versions (docs/compilers.md). A smaller pair that was found adds one key.
std::string refinement_json(const RefinementReport&, const PairTexts* reduced = nullptr);

}  // namespace ptxmc
