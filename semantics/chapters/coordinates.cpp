#include "semantics/chapters/coordinates.hpp"

#include <algorithm>

namespace ptxmc {
namespace {

/// The number of coordinates, including an array or sample index that precedes them.
unsigned dimensions(const Form& form) {
  if (form.has(".5d")) return 5;
  if (form.has(".4d") || form.has(".acube")) return 4;
  if (form.has(".3d") || form.has(".a2d") || form.has(".cube") || form.has(".2dms")) return 3;
  if (form.has(".a2dms")) return 4;
  return form.has(".2d") || form.has(".a1d") ? 2 : 1;
}

/// Three coordinates are given in a vector of four, whose last element is ignored.
unsigned with_padding(unsigned count) { return count == 3 ? 4 : count; }

/// The number of offsets or derivatives, which have no index.
unsigned dimensions_of_change(const Form& form) {
  if (form.has(".1d") || form.has(".a1d")) return 1;
  return form.has(".3d") || form.has(".cube") || form.has(".acube") ? 4 : 2;
}

unsigned tensor_coordinates(const Form& form, std::string_view operand) {
  if (operand == "tensorCoords")
    return form.has(".tile::gather4") || form.has(".tile::scatter4") ? 5 : dimensions(form);
  if (operand != "im2colInfo") return 0;
  return form.has(".im2col") ? std::max(dimensions(form), 3U) - 2 : 2;
}

}  // namespace

CoordinateCount coordinate_count(const Form& form, const OperandPattern& operand) {
  const std::string_view opcode = form.line->opcode;
  const bool is_texture = opcode == "tex" || opcode == "tld4";
  const bool is_surface = opcode == "suld" || opcode == "sust" || opcode == "sured";
  if (opcode == "cp") return {tensor_coordinates(form, operand.name), false};
  if (operand.link == OperandPattern::Link::bracket && (is_surface || (is_texture && operand.name == "c")))
    return {with_padding(dimensions(form)), true};
  if (is_texture && (operand.name == "e" || operand.name == "dPdx" || operand.name == "dPdy"))
    return {dimensions_of_change(form), operand.name == "e"};
  return {};
}

}  // namespace ptxmc
