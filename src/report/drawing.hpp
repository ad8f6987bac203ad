#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// An edge that is drawn in red together with its ends: an edge of the picture, or an added edge with the
/// relation as its label. An edge from an event to itself highlights only the event.
struct HighlightedEdge {
  std::string relation;  ///< "po", "rf", "fr", "causality", …
  EventId from = 0;
  EventId to = 0;
  bool directed = true;  ///< for an added edge
};

/// The source position of a line of a module, such as "k.cu:7"; empty if the module does not give it.
using SourceOfLine = std::function<std::string(std::uint32_t)>;

struct DrawingOptions {
  std::string title;
  std::string footer;  ///< text below the picture, such as the verdict; wrapped to its width
  std::vector<HighlightedEdge> highlighted;
  SourceOfLine source_of_line = {};
};

/// The execution as a graph for Graphviz, with computed coordinates (`layout=nop2`). Each thread with events
/// is a column, at most six side by side, inside boxes for CTA, cluster (if one has several CTAs) and GPU.
/// Initial writes that are read are on top. Edges are po, rf, co, fr, synchronizes, fence_sc and barrier,
/// without those that others imply. There is a legend.
std::string draw_dot(const Execution&, const DrawingOptions& = {});

/// The same as SVG, by the program `dot` of Graphviz. Throws InputError if it is missing.
std::string draw_svg_with_graphviz(const Execution&, const DrawingOptions& = {});

/// The same as plain text: columns of lettered events, then a list for each relation.
std::string draw_text(const Execution&, const DrawingOptions& = {});

/// The file of the n-th picture of several, from 1: `a.svg`, `a-2.svg`, …
std::filesystem::path numbered(const std::filesystem::path&, std::size_t number);

/// Writes a drawing; in the format of the path's extension: .svg and .png (by the program `dot` of Graphviz),
/// .dot, .txt. Throws InputError with the file for another extension, a missing `dot`, or a failing write.
void write_witness(const Execution&, const std::filesystem::path&, const DrawingOptions& = {});

}  // namespace ptxmc
