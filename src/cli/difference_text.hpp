#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "src/cli/common_options.hpp"
#include "src/generator/model_difference.hpp"

namespace ptxmc {

/// Two models as reports name them.
struct TwoModels {
  const cat::Model& first;
  const cat::Model& second;
  std::string first_name, second_name;
};

/// "1 test", "5 tests".
std::string tests_text(std::uint64_t tests);

/// "2 threads, 4 instructions".
std::string size_text(const generator::SizedTest&);

/// The test, its verdicts, the execution that one model allows, and the axiom by which the other one forbids
/// it; or why one of them has no answer.
std::string difference_text(const generator::DecidedTest&, const TwoModels&, const CommonOptions&);

/// "differs"; otherwise "same" if all tests were decided, and "unknown".
const char* difference_verdict(bool differs, bool is_complete);

/// Adds the test and its verdicts to a JSON object.
void add_difference(nlohmann::ordered_json&, const generator::DecidedTest&);

}  // namespace ptxmc
