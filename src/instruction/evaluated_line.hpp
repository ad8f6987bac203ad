#pragma once

#include <span>
#include <string>

#include "src/instruction/vector_line.hpp"

namespace ptxmc {

/// Which results a line has.
enum class ResultsOf {
  rule,    ///< the rule on numbers
  solver,  ///< the rule's terms in Z3
  both,    ///< compared
};

/// The results for a line; texts are empty if they do not apply.
struct EvaluatedLine {
  std::string computed;
  std::string solved;    ///< ResultsOf::both: the solver's result, if it differs
  std::string interval;  ///< of an approximate instruction
  bool agrees = true;    ///< the result with the line's expectation, and the solver with the rule
};

/// Evaluates a line. `solved` has the results of PreparedLine::solve unless the rule alone is asked; with
/// intervals or the solver the line's terms must have been made.
EvaluatedLine evaluated(const VectorLine&, PreparedLine&, std::span<const Bits> inputs,
                        std::span<const Bits> solved, ResultsOf, bool with_intervals);

}  // namespace ptxmc
