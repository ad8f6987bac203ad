#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "src/compiler/line_edits.hpp"
#include "src/compiler/strength_points.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// The edits of the text of a litmus test that give its program the levels of an assignment. Empty if the
/// text is written in a way for which this is not possible, for example with several rows in one line: the
/// edited text, read again, must be the program with these levels.
std::optional<std::vector<LineEdit>> litmus_edits(const LitmusTest&, std::string_view text,
                                                  const std::vector<StrengthPoint>&, const Assignment&);

}  // namespace ptxmc
