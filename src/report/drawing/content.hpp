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
  other,  ///< only drawn when highlighted
};

/// What an instruction did: a read-modify-write is its read and its write, a vector access its elements.
struct Node {
  std::vector<EventId> events;
  int thread = Event::no_thread;
  std::string letter;  ///< "a", "b", …; none for initial writes
  bool highlighted = false;
};

struct Edge {
  Relation relation = Relation::other;
  int from = 0;
  int to = 0;
  std::string label;
  bool directed = true;
  bool highlighted = false;
};

/// What is drawn of an execution, before anything has a place.
struct Content {
  const Execution* execution = nullptr;
  std::vector<Node> nodes;
  std::vector<int> initial;               ///< nodes: the initial writes that an edge starts from
  std::vector<int> threads;               ///< of the columns: neighbours share CTA, cluster and GPU
  std::vector<std::vector<int>> columns;  ///< nodes in program order
  std::vector<Edge> edges;
};

Content content_of(const Execution&, const std::vector<HighlightedEdge>&);

/// The instruction as written; empty for initial writes.
std::string instruction_text(const Execution&, const Node&);

/// What the node's events read and wrote, a line for each element of a vector access: `R x=0, W x=1`.
/// An initial write: `x = 0`.
std::vector<std::string> value_lines(const Execution&, const Node&);

/// The line in the source, or 0.
std::uint32_t source_line(const Execution&, const Node&);

/// The pairs that no path over others implies; all of them when the relation has a cycle.
Pairs transitive_reduction(const Pairs&);

}  // namespace ptxmc::drawing
