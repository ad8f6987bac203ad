#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "semantics/language/visible_text.hpp"
#include "src/report/drawing/content.hpp"
#include "src/report/drawing/style.hpp"

namespace ptxmc {

namespace drawing {
namespace {

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

/// The name of a node in lists of edges: its letter, or the written value for an initial write.
std::string name_of(const Content& content, int node) {
  const Node& n = content.nodes[node];
  return n.letter.empty() ? value_lines(*content.execution, n).front() : n.letter;
}

/// The lines of a column: a heading of two, then two for each event.
std::vector<std::string> column_lines(const Content& content, std::size_t column) {
  const Execution& execution = *content.execution;
  const Thread& thread = execution.program->threads[content.threads[column]];
  std::vector<std::string> lines = {column_title(content, column),
                                    fmt::format("cta {}, cluster {}, gpu {}", thread.placement.cta,
                                                thread.placement.cluster, thread.placement.gpu)};
  for (const int id : content.columns[column]) {
    const Node& node = content.nodes[id];
    const std::string source = place_text(content, node);
    const std::string place = source.empty() ? "" : fmt::format("  ({})", source);
    lines.push_back(fmt::format("{}: {}{}", node.letter, instruction_text(execution, node), place));
    lines.push_back("   " + joined(value_lines(execution, node), ", "));
  }
  return lines;
}

/// Some columns side by side.
std::string band_text(const Content& content, std::size_t first, std::size_t last) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (std::size_t column = first; column < last; ++column) {
    columns.push_back(column_lines(content, column));
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (std::size_t row = 0; row < height; ++row) {
    std::string line;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      std::size_t width = 0;
      for (const std::string& cell : columns[column]) width = std::max(width, cell.size());
      const std::string cell = row < columns[column].size() ? columns[column][row] : "";
      line += fmt::format("{}{:{}}", column == 0 ? "" : " | ", cell, width);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string columns_text(const Content& content) {
  std::string text;
  for (std::size_t first = 0; first < content.columns.size(); first += content.columns_per_band)
    text += (first == 0 ? "" : "\n") +
            band_text(content, first, std::min(first + content.columns_per_band, content.columns.size()));
  return text;
}

std::string edge_lists(const Content& content) {
  std::string text;
  for (const Style& style : styles) {
    std::vector<std::string> edges;
    for (const Edge& edge : content.edges)
      if (edge.relation == style.relation && style.relation != Relation::program_order &&
          style.relation != Relation::other)
        edges.push_back(fmt::format("{} {} {}", name_of(content, edge.from), edge.directed ? "->" : "--",
                                    name_of(content, edge.to)));
    if (!edges.empty()) text += fmt::format("{} ({}): {}\n", style.label, style.meaning, joined(edges, ", "));
  }
  return text;
}

/// Highlighted edges, then single highlighted events.
std::string highlighted_list(const Content& content) {
  std::vector<std::string> highlighted;
  std::set<int> ends;
  for (const Edge& edge : content.edges)
    if (edge.highlighted) {
      ends.insert({edge.from, edge.to});
      highlighted.push_back(fmt::format("{} -{}-{} {}", name_of(content, edge.from),
                                        edge.label.empty() ? "po" : edge.label, edge.directed ? ">" : "",
                                        name_of(content, edge.to)));
    }
  for (int node = 0; node < static_cast<int>(content.nodes.size()); ++node)
    if (content.nodes[static_cast<std::size_t>(node)].highlighted && !ends.contains(node))
      highlighted.push_back(name_of(content, node));
  if (!highlighted.empty()) return fmt::format("highlighted: {}\n", joined(highlighted, ", "));
  return "";
}

}  // namespace
}  // namespace drawing

std::string draw_text(const Execution& execution, const DrawingOptions& options) {
  const drawing::Content content = drawing::content_of(execution, options);
  std::string text;
  if (!options.title.empty()) text += options.title + "\n\n";
  text += drawing::columns_text(content) + "\n" + drawing::edge_lists(content) +
          drawing::highlighted_list(content);
  if (!options.footer.empty()) text += "\n" + options.footer + "\n";
  return visible(text);
}

}  // namespace ptxmc
