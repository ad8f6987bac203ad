#pragma once

#include <string_view>
#include <vector>

#include "src/compiler/line_edits.hpp"
#include "src/compiler/strength_points.hpp"

namespace ptxmc {

/// The edits of the text of a PTX module that give its instructions the levels of an assignment. A fence
/// stands on a line of its own before its instruction, behind a label of it.
std::vector<LineEdit> ptx_edits(std::string_view text, const std::vector<StrengthPoint>&, const Assignment&);

}  // namespace ptxmc
