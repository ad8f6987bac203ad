#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "src/library/public.hpp"

namespace ptxmc {

/// "1 test", "5 tests".
std::string tests_text(std::uint64_t tests);

/// "2 threads, 4 instructions".
std::string size_text(const v1::SmallTest&);

/// "allowed", "forbidden", "unknown".
const char* word_of(v1::Verdict);

/// "differs"; otherwise "same" if all tests were decided, and "unknown".
const char* difference_word(bool differs, bool is_complete);

/// Adds the test and its verdicts to a JSON object.
void add_difference(nlohmann::ordered_json&, const v1::Difference&);

/// The text of the difference of each line that has one.
std::string line_differences_text(const v1::LineDistinction&);

/// A table with a row for each line of a model; `what` says which tests were decided.
std::string line_differences_table(const v1::LineDistinction&, const std::string& model,
                                   const std::string& what, bool color);
/// The same in Markdown.
std::string line_differences_markdown(const v1::LineDistinction&, const std::string& model,
                                      const std::string& what);

/// A JSON object a line for each line of the model.
std::string line_differences_json(const v1::LineDistinction&, const std::string& model);

}  // namespace ptxmc
