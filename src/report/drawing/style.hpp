#pragma once

#include "src/report/drawing/content.hpp"

namespace ptxmc::drawing {

/// The appearance of a relation. The colours are those of Okabe and Ito, darker for text. Width and line
/// style distinguish the relations without colour.
struct Style {
  Relation relation;
  const char* name;     ///< the class of its edges in SVG
  const char* label;    ///< at its edges
  const char* meaning;  ///< in the legend
  const char* color;
  const char* line;  ///< Graphviz: "solid", "dashed", "dotted"
  double width;      ///< points
};

inline constexpr Style styles[] = {
    {Relation::program_order, "po", "po", "program order", "#666666", "solid", 1.0},
    {Relation::reads_from, "rf", "rf", "reads from", "#007F5C", "solid", 1.3},
    {Relation::coherence, "co", "co", "coherence", "#0072B2", "solid", 1.3},
    {Relation::from_reads, "fr", "fr", "from reads", "#A86400", "dashed", 1.3},
    {Relation::synchronizes, "synchronizes", "sync", "synchronizes", "#B0468E", "solid", 2.2},
    {Relation::fence_sc, "fence_sc", "sc", "Fence-SC order", "#000000", "dotted", 1.8},
    {Relation::barrier, "barrier", "bar", "meet at a barrier", "#3E9FD8", "solid", 2.6},
    {Relation::starts, "starts", "start", "starts an operation", "#666666", "dashed", 1.0},
    {Relation::completes, "completes", "done", "is complete for", "#B0468E", "dashed", 1.6},
    {Relation::other, "other", "", "highlighted", "#C8102E", "solid", 2.4},
};

inline constexpr const char* highlight_color = "#C8102E";
inline constexpr double highlight_width = 2.4;

constexpr const Style& style_of(Relation relation) { return styles[static_cast<int>(relation)]; }

}  // namespace ptxmc::drawing
