#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/execution.hpp"

namespace ptxmc {

/// An edge drawn in red, with its ends: an edge of the picture, or one added to it, with the relation as its
/// label. From an event to itself: the event alone.
struct HighlightedEdge {
  std::string relation;  ///< "po", "rf", "fr", "causality", …
  EventId from = 0;
  EventId to = 0;
  bool directed = true;  ///< of an edge that is added
};

/// "k.cu:7" for a line of a module; empty where the module does not say.
using SourceOfLine = std::function<std::string(std::uint32_t)>;

struct DrawingOptions {
  std::string title;
  std::string footer;  ///< text below the picture, such as the verdict; broken to its width
  std::vector<HighlightedEdge> highlighted;
  SourceOfLine source_of_line = {};
};

/// The execution as a graph for Graphviz, with coordinates of our own (`layout=nop2`): a column for
/// each thread that has events, inside boxes for CTA, cluster (where one has several CTAs) and GPU, at most
/// six side by side; initial writes that are read on top; edges po, rf, co, fr, synchronizes, fence_sc and
/// barrier, those that others imply left out, and a legend.
std::string draw_dot(const Execution&, const DrawingOptions& = {});

/// The same as plain text: columns of lettered events, then a list for each relation.
std::string draw_text(const Execution&, const DrawingOptions& = {});

/// The file of the n-th picture of several, from 1: `a.svg`, `a-2.svg`, …
std::filesystem::path numbered(const std::filesystem::path&, std::size_t number);

/// Writes a drawing; the extension of the path decides: .svg and .png (by the program `dot` of
/// Graphviz), .dot, .txt.
/// Throws InputError naming the file: another extension, no `dot`, or a failing write.
void write_witness(const Execution&, const std::filesystem::path&, const DrawingOptions& = {});

}  // namespace ptxmc
