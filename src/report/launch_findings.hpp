#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/launch/launch_properties.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc {

/// A position in the module, with the source line by `.loc`.
struct FindingPlace {
  std::uint32_t line = 0;    ///< 0: the whole launch
  std::uint32_t column = 0;  ///< 0: unknown
  std::optional<kernel::SourceLine> source = {};
};

/// A finding as text.
struct FindingText : FindingPlace {
  LaunchProperty property = LaunchProperty::assertion;
  std::size_t number = 0;             ///< of the finding in the answer
  std::optional<FindingPlace> other;  ///< a race: that of the other access; divergence: of the other thread
  std::vector<std::string> threads;
  std::string message;                         ///< one line: kind, threads, values
  std::string hint;                            ///< a known fix; empty: none
  std::string inputs;                          ///< `n = 5`: the inputs that matter; empty: none
  std::vector<std::string> assumed_zero = {};  ///< variables: see kernel::assumed_zero
  bool is_of_same_value = false;               ///< a race of two writes of the same value
  /// Further findings of the same kind at the same source lines, for example of other iterations of an
  /// unrolled loop: their lines in the module, and those of the other access (0: none).
  std::vector<std::pair<std::uint32_t, std::uint32_t>> repeated = {};
};

/// The texts of the findings, in the order of the answer. Findings of one kind about one variable at the same
/// source lines are one text, that of the first. A finding that violates `final_condition` quotes it.
std::vector<FindingText> finding_texts(const LaunchAnswer&, const std::string& final_condition,
                                       const kernel::SourceLines&);

/// A note about the variables that are read as 0 by default, and about how to give their content. Empty if
/// there are none.
std::string assumed_zero_note(const std::vector<std::string>& variables, const std::string& how);
/// How to give the content of a variable for `ptxmc check`.
constexpr const char* how_to_say_content = "[[variable]] or --variable";

/// A line of the module in a message: `line 41 (k.cu:7)`, or `line 41`.
std::string place_text(const kernel::SourceLines&, std::uint32_t line);

/// A finding in the format of compilers: `kernel.ptx:41:5: error: data race: …`, then further lines,
/// indented.
std::string finding_text(const FindingText&, const std::string& module);

}  // namespace ptxmc
