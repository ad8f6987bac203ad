#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/launch_properties.hpp"
#include "src/kernel/module_file.hpp"

namespace ptxmc {

/// A finding in words.
struct FindingText {
  LaunchProperty property = LaunchProperty::assertion;
  std::uint32_t line = 0;                    ///< of the module; 0: of the whole launch
  std::optional<kernel::SourceLine> source;  ///< by `.loc`
  std::vector<std::string> threads;
  std::string message;                         ///< one line: what, by whom, with which values
  std::string hint;                            ///< a known cure; empty: none
  std::string inputs;                          ///< `n = 5`; empty: all inputs are fixed
  std::vector<std::string> assumed_zero = {};  ///< variables, as kernel::assumed_zero
};

/// In the order of the answer. `final_condition` is shown where it is violated.
std::vector<FindingText> finding_texts(const LaunchAnswer&, const std::string& final_condition,
                                       const kernel::SourceLines&);

/// Says which variables are read as 0 by default, and how to say otherwise. Empty where there are none.
std::string assumed_zero_note(const std::vector<std::string>& variables, const std::string& how);
/// What a variable holds, of a launch that is checked.
constexpr const char* how_to_say_content = "[[variable]] or --variable";

/// As compilers print: `kernel.ptx:41: data race: …`, then further lines, indented.
std::string finding_text(const FindingText&, const std::string& module);

}  // namespace ptxmc
