#pragma once

#include <string_view>
#include <vector>

#include "src/compiler/line_edits.hpp"
#include "src/compiler/strength_points.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// The annotations of a C++ litmus test that may be weaker, or with `is_stronger` those that may be stronger
/// and the places where a fence may be inserted, as points_to_weaken and points_to_strengthen have them for
/// PTX. `made` of a level is an instruction of which only the text counts.
///
/// Plain accesses stay plain. System scope is not narrowed: it is what C++ has without a scope. An operation
/// is left out if its text does not stand in one line, or has no place for an order. A fence may be inserted
/// before a statement that accesses memory and begins in the line of the access.
std::vector<StrengthPoint> cpp_points(const LitmusTest&, std::string_view text, const StrengthCosts&,
                                      bool is_stronger);

/// The edits of the text that give its operations the levels of an assignment. The edited text can be read.
std::vector<LineEdit> cpp_edits(std::string_view text, const std::vector<StrengthPoint>&, const Assignment&);

}  // namespace ptxmc
