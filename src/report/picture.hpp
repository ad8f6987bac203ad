#pragma once

#include <string>
#include <vector>

#include "src/report/drawing.hpp"

namespace ptxmc {

/// A relation of a picture, which a page can show or hide.
struct PictureRelation {
  std::string name;     ///< `data-relation` of its edges
  std::string meaning;  ///< "reads from"
  std::string color;    ///< "#007F5C"
};

/// An execution drawn for a page.
struct Picture {
  std::string title;
  std::string footer;
  std::string svg;  ///< events have `data-line`, the line of their instruction in `file`
  std::vector<PictureRelation> relations;
  std::string file = {};  ///< the source text; set by the caller
};

/// Draws an execution like draw_dot, as SVG without Graphviz. Its styles are those of a page.
Picture draw_svg(const Execution&, const DrawingOptions& = {});

/// An execution with what its picture shows beside it.
struct DrawnExecution {
  Execution execution;
  DrawingOptions drawing;
};

/// The pictures of executions whose instructions are lines of `file`.
std::vector<Picture> pictures_of(const std::vector<DrawnExecution>&, const std::string& file);

}  // namespace ptxmc
