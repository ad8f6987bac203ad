#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/compiler/mapping_search.hpp"
#include "src/report/refinement_text.hpp"

namespace ptxmc {

/// What was found about mappings.
struct MappingReport {
  std::vector<std::string> mappings;  ///< files
  std::string source_model, target_model;
  ShapeLimits limits;
  std::optional<PairTexts> counterexample;  ///< of which the target has an outcome that the source forbids
  RefinementReport difference;              ///< of the counterexample
  std::string unknown;                      ///< why not all programs are decided; empty: all are
  std::uint64_t programs = 0, runs = 0;
  double seconds = 0;
};

/// "no counterexample", "differs", "unknown".
std::string mapping_verdict(const MappingReport&);

/// The verdict with the number of programs; for a counterexample both of its tests, the outcomes, an
/// execution of the target, and the axioms of the source that forbid it.
std::string mapping_text(const MappingReport&, const cat::Model& source_model);

/// The same as one JSON object on one line, without the newline. The keys and their order are stable across
/// versions (docs/compilers.md).
std::string mapping_json(const MappingReport&);

}  // namespace ptxmc
