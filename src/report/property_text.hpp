#pragma once

#include <string>
#include <vector>

#include "model/execution.hpp"
#include "solver/termination.hpp"

namespace ptxmc {

/// The data races of an execution (the relation `data_race` that its model gives), a sentence for each pair:
/// which two accesses, and why they are not morally strong.
std::vector<std::string> race_sentences(const Execution&);

/// Why an execution does not end, a sentence for each thread that is stuck: what it repeats or waits for, and
/// what its reads find for ever.
std::vector<std::string> termination_sentences(const Termination&);

}  // namespace ptxmc
