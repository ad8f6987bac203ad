#pragma once

#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Decides a question about a program under a model with the SMT engine. Throws Unsupported. An execution
/// that the judge rejects is a std::logic_error.
Answer decide(const Program&, const Question&, const cat::Model&, const DecideOptions&);

}  // namespace ptxmc
