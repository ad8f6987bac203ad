#pragma once

#include <string>
#include <vector>

#include "src/report/drawing.hpp"

namespace ptxmc::drawing {

enum class Relation {
  program_order,
  reads_from,
  coherence,
  from_reads,
  synchronizes,
  fence_sc,
  barrier,
  starts,     ///< an instruction precedes an asynchronous operation
  completes,  ///< an asynchronous operation is complete for a wait
  other,      ///< only drawn when highlighted
};

/// The events of one instruction: the read and the write of a read-modify-write, or the elements of a vector
/// access; or those of one asynchronous operation.
struct Node {
  std::vector<EventId> events;
  int thread = Event::no_thread;
  std::string letter;  ///< "a", "b", …; none for initial writes
  bool highlighted = false;
  int band = 0;  ///< the band of columns; an initial write has a node in each band in which it is read
};

struct Edge {
  Relation relation = Relation::other;
  int from = 0;
  int to = 0;
  std::string label;
  bool directed = true;
  bool highlighted = false;
};

/// The parts of a drawing, before they have coordinates. More than six columns are divided into bands, one
/// below the other.
struct Content {
  const Execution* execution = nullptr;
  std::vector<Node> nodes;
  std::vector<int> initial;               ///< nodes: the initial writes that an edge starts from
  std::vector<int> threads;               ///< of the columns: neighbours share CTA, cluster and GPU
  std::vector<bool> is_asynchronous;      ///< of the columns: beside its thread, with its operations
  std::vector<std::vector<int>> columns;  ///< nodes in program order, or asynchronous operations
  std::vector<Edge> edges;
  std::size_t columns_per_band = 1;
  SourceOfLine source_of_line;

  int band_of_column(int column) const { return column / static_cast<int>(columns_per_band); }
  int bands() const { return columns.empty() ? 1 : band_of_column(static_cast<int>(columns.size()) - 1) + 1; }
};

Content content_of(const Execution&, const DrawingOptions&);

/// One line of text for a label in SVG or in Graphviz's HTML, with `&`, `<`, `>` and `"` escaped.
std::string xml_text(const std::string&);

/// The heading of a column: the name of its thread.
std::string column_title(const Content&, std::size_t column);

/// The instruction as written; empty for initial writes.
std::string instruction_text(const Execution&, const Node&);

/// The values that the node's events read and wrote, one line for each element of a vector access: `R x=0, W
/// x=1`. An initial write: `x = 0`.
std::vector<std::string> value_lines(const Execution&, const Node&);

/// The line of the instruction; 0 if unknown, and for initial writes.
std::uint32_t line_of(const Execution&, const Node&);

/// The position of the instruction: "line 12", or with its compiled source "line 12, k.cu:7"; empty if
/// unknown.
std::string place_text(const Content&, const Node&);

/// The pairs that no path through other pairs implies; all pairs if the relation has a cycle.
Pairs transitive_reduction(const Pairs&);

}  // namespace ptxmc::drawing
