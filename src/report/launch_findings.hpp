#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/launch/launch_properties.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc {

/// A finding as text.
struct FindingText {
  LaunchProperty property = LaunchProperty::assertion;
  std::uint32_t line = 0;                    ///< of the module; 0: the whole launch
  std::optional<kernel::SourceLine> source;  ///< by `.loc`
  std::vector<std::string> threads;
  std::string message;                         ///< one line: kind, threads, values
  std::string hint;                            ///< a known fix; empty: none
  std::string inputs;                          ///< `n = 5`; empty: all inputs are fixed
  std::vector<std::string> assumed_zero = {};  ///< variables: see kernel::assumed_zero
};

/// The texts of all findings, in the order of the answer. A finding that violates `final_condition` quotes
/// it.
std::vector<FindingText> finding_texts(const LaunchAnswer&, const std::string& final_condition,
                                       const kernel::SourceLines&);

/// A note about the variables that are read as 0 by default, and about how to give their content. Empty if
/// there are none.
std::string assumed_zero_note(const std::vector<std::string>& variables, const std::string& how);
/// How to give the content of a variable for `ptxmc check`.
constexpr const char* how_to_say_content = "[[variable]] or --variable";

/// A finding in the format of compilers: `kernel.ptx:41: data race: …`, then further lines, indented.
std::string finding_text(const FindingText&, const std::string& module);

}  // namespace ptxmc
