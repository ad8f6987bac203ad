#pragma once

#include <string>
#include <vector>

#include "solver/encoding/candidate_executions.hpp"
#include "solver/explorer/shared_tree.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Decides a question about final states under a model without a solver: enumerates every consistent
/// execution once. The answer is that of `decide`. Throws Unsupported for what only the SMT engine decides:
/// open inputs, memory of unknown content, models that allow values out of thin air.
Answer explore(const CandidateExecutions&, const Question&, const cat::Model&, const DecideOptions&);
/// The same about the final states of a program.
Answer explore(const Program&, const Question&, const cat::Model&, const DecideOptions&);

/// Explores one part of the tree of executions. Every execution is in one part; in which one depends on the
/// program, the question, the model and the number of parts alone. The answer speaks of this part: states,
/// counts and the verdict are those of its executions. A voiding race in another part voids it too.
Answer explore_part(const Program&, const Question&, const cat::Model&, const DecideOptions&,
                    const TreePart&);

/// Gives the findings of `find_flags` in the same way.
std::vector<FlagFinding> explore_flags(const Program&, const cat::Model&, const DecideOptions&,
                                       const std::vector<std::string>& names);

}  // namespace ptxmc
