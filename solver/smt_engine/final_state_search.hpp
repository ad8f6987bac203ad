#pragma once

#include "solver/encoding/candidate_executions.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Decides a question about final states under a model with the SMT engine. Throws Unsupported. An execution
/// that the judge rejects is a std::logic_error.
Answer decide(const CandidateExecutions&, const Question&, const cat::Model&, const DecideOptions&,
              TermGraph&);
/// The same about the final states of a program.
Answer decide(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
