#pragma once

#include <string>

#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// The progress of the explorer, on one line: "12000 of about 40000 executions, 15000/s, 2 s left".
std::string exploration_text(const ExplorationProgress&);

}  // namespace ptxmc
