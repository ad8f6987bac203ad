#pragma once

#include <string>

#include "solver/smt_engine/answers.hpp"
#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// A program of CUDA, one file, that runs a litmus test of PTX many times on a GPU and compares the final
/// states that it observes with those that the model allows. `answer` is the model's, with all its states.
/// Throws Unsupported for tests that have no such program.
std::string cuda_program(const LitmusTest&, const std::string& model, const Answer& answer);

}  // namespace ptxmc
