#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "src/report/drawing/layout.hpp"
#include "src/report/drawing/style.hpp"

namespace ptxmc {

namespace drawing {
namespace {

constexpr const char* fixed_font = "DejaVu Sans Mono,Menlo,Consolas,monospace";
constexpr const char* font = "Helvetica,Arial,DejaVu Sans,sans-serif";
constexpr double arrow_scale = 0.65, arrow_head = 10 * arrow_scale;
constexpr double title_height = 26, footer_line = 16, legend_height = 18;

/// Writes the graph; y is inverted, since Graphviz counts it upwards.
struct Writer {
  const Content& content;
  const Layout& layout;
  double shift = 0;   ///< downwards, for the title
  double height = 0;  ///< the height of the whole picture
  std::string out = {};

  template <typename... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    out += '\n';
  }

  std::string position(Point p) const { return fmt::format("{:.1f},{:.1f}", p.x, height - shift - p.y); }

  std::string extent(const Rectangle& r) const {
    return fmt::format("pos=\"{}\", width={:.3f}, height={:.3f}", position(r.center()), r.width() / 72,
                       r.height() / 72);
  }

  /// The name of a node in the graph.
  std::string name_of(int id) const {
    const Node& node = content.nodes[id];
    const bool is_further = node.thread == Event::no_thread && node.band > 0;
    return fmt::format("e{}{}", node.events.front(), is_further ? fmt::format("_{}", node.band) : "");
  }

  bool is_highlighted(int node) const { return content.nodes[static_cast<std::size_t>(node)].highlighted; }

  /// Adds text without a border at `where`, aligned left.
  void text(const std::string& name, const std::string& text, const Rectangle& where, double size, bool bold,
            const char* color) {
    const std::string content_text = bold ? "<B>" + xml_text(text) + "</B>" : xml_text(text);
    line(
        "  {} [shape=plaintext, style=\"\", {}, label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" "
        "CELLSPACING=\"0\" CELLPADDING=\"0\" WIDTH=\"{:.0f}\"><TR><TD ALIGN=\"LEFT\">{}</TD></TR></TABLE>>, "
        "fontname=\"{}\", "
        "fontsize={}, fontcolor=\"{}\"];",
        name, extent(where), where.width() - 2, content_text, font, size, color);
  }

  /// The text of a second line; Graphviz accepts no font for empty text.
  static std::string small(const std::string& text, const char* color) {
    if (text.empty()) return "";
    return fmt::format("<FONT POINT-SIZE=\"{}\" COLOR=\"{}\">{}</FONT>", TextSize::value, color, text);
  }

  std::string node_label(const Node& node, const Rectangle& where) const {
    const Execution& execution = *content.execution;
    const std::vector<std::string> values = value_lines(execution, node);
    const std::string line = place_text(content, node);
    std::string rows = fmt::format("<TR><TD COLSPAN=\"2\" ALIGN=\"LEFT\" WIDTH=\"{:.0f}\">{}</TD></TR>",
                                   where.width() - 12, xml_text(instruction_text(execution, node)));
    for (std::size_t i = 0; i < std::max<std::size_t>(1, values.size()); ++i) {
      const std::string value = values.empty() ? "" : xml_text(values[i]);
      const std::string place = i != 0 ? "" : xml_text(line);
      rows += fmt::format("<TR><TD ALIGN=\"LEFT\">{}</TD><TD ALIGN=\"RIGHT\">{}</TD></TR>",
                          small(i != 0           ? "   " + value
                                : values.empty() ? node.letter
                                                 : node.letter + ": " + value,
                                "black"),
                          small(place, "#777777"));
    }
    return fmt::format(
        "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\" "
        "WIDTH=\"{:.0f}\">{}</TABLE>>",
        where.width() - 12, rows);
  }

  const char* fill(const Node& node) const {
    switch (content.execution->events[node.events.front()].kind) {
      case EventKind::fence:
        return "#EEEEEE";
      case EventKind::barrier:
      case EventKind::wait:
        return "#E4F2FB";
      default:
        return "white";
    }
  }

  void node(int id, const char* indent) {
    const Node& node = content.nodes[id];
    const Rectangle& where = layout.nodes[id];
    const std::string border =
        is_highlighted(id) ? fmt::format(", color=\"{}\", penwidth=1.6", highlight_color) : "";
    line("{}{} [{}, fillcolor=\"{}\", label={}{}];", indent, name_of(id), extent(where), fill(node),
         node_label(node, where), border);
  }

  void initial_write(int id) {
    const Node& node = content.nodes[id];
    line("  {} [{}, label=<{}>, fillcolor=\"#FFFBE6\", color=\"#999999\"{}];", name_of(id),
         extent(layout.nodes[id]), xml_text(value_lines(*content.execution, node).front()),
         is_highlighted(id) ? ", penwidth=1.6" : "");
  }

  void box(const Box& box, std::size_t index, int depth_below) {
    const std::string indent(2 + 2 * box.depth, ' ');
    const bool innermost = depth_below == 0;
    const double label_width = text_width(box.label, TextSize::box) * 0.95;
    line("{}subgraph cluster_{} {{", indent, box.name);
    line(
        "{}  graph [bb=\"{},{}\", label=\"{}\", lp=\"{}\", style=rounded, color=\"{}\", "
        "fontcolor=\"#555555\", fontname=\"{}\", fontsize={}];",
        indent, position({box.where.left, box.where.bottom}), position({box.where.right, box.where.top}),
        box.label, position({box.where.left + 8 + label_width / 2, box.where.bottom - 9}),
        innermost ? "#AAAAAA" : "#777777", font, TextSize::box);
    for (std::size_t inner = index + 1; inner < layout.boxes.size(); ++inner)
      if (layout.boxes[inner].depth == box.depth + 1 &&
          layout.boxes[inner].first_column >= box.first_column &&
          layout.boxes[inner].last_column <= box.last_column)
        this->box(layout.boxes[inner], inner, depth_below - 1);
    if (innermost)
      for (int column = box.first_column; column <= box.last_column; ++column)
        for (const int id : content.columns[column]) node(id, (indent + "  ").c_str());
    line("{}}}", indent);
  }

  void boxes() {
    int deepest = 0;
    for (const Box& box : layout.boxes) deepest = std::max(deepest, box.depth);
    for (std::size_t i = 0; i < layout.boxes.size(); ++i)
      if (layout.boxes[i].depth == 0) box(layout.boxes[i], i, deepest);
  }

  void headings() {
    for (std::size_t column = 0; column < content.columns.size(); ++column) {
      const Rectangle& where = layout.columns[column];
      text(fmt::format("thread{}{}", content.threads[column],
                       content.is_asynchronous[column] ? "_asynchronous" : ""),
           column_title(content, column), {where.left, where.top, where.right, where.top + 18},
           TextSize::heading, true, "#222222");
    }
  }

  /// The curve in Graphviz's format, without the arrow head.
  std::string curve(Spline spline, bool directed) const {
    std::string text;
    if (directed) {
      const Point tip = spline.back(), before = spline[spline.size() - 2];
      const double length = std::hypot(tip.x - before.x, tip.y - before.y);
      const double part = length == 0 ? 0 : arrow_head / length;
      spline.back() = {tip.x - (tip.x - before.x) * part, tip.y - (tip.y - before.y) * part};
      text = "e," + position(tip) + " ";
    }
    for (std::size_t i = 0; i < spline.size(); ++i) text += (i == 0 ? "" : " ") + position(spline[i]);
    return text;
  }

  void edge(std::size_t index) {
    const Edge& edge = content.edges[index];
    const Style& style = style_of(edge.relation);
    const char* color = edge.highlighted ? highlight_color : style.color;
    std::string label;
    if (!edge.label.empty())
      label = fmt::format(
          ", lp=\"{}\", fontcolor=\"{}\", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
          "CELLPADDING=\"0\" BGCOLOR=\"white\"><TR><TD>{}</TD></TR></TABLE>>",
          position(layout.labels[index].center()), color,
          edge.highlighted ? "<B>" + xml_text(edge.label) + "</B>" : xml_text(edge.label));
    line("  {} -> {} [class=\"{}\", pos=\"{}\", color=\"{}\", style={}, penwidth={}{}{}];",
         name_of(edge.from), name_of(edge.to), style.name, curve(layout.splines[index], edge.directed), color,
         style.line, edge.highlighted ? highlight_width : style.width, edge.directed ? "" : ", dir=none",
         label);
  }

  void edges() {
    for (const bool highlighted : {false, true})
      for (std::size_t i = 0; i < content.edges.size(); ++i)
        if (content.edges[i].highlighted == highlighted) edge(i);
  }
};

struct LegendEntry {
  const Style* style;
  Point at;  ///< the left end of the line
};

constexpr double legend_line = 26;

/// The legend: the relations that occur, in rows as wide as the picture.
std::vector<LegendEntry> legend_of(const Content& content, Point start, double width) {
  std::vector<LegendEntry> entries;
  Point at = start;
  for (const Style& style : styles) {
    const bool is_red = style.relation == Relation::other;
    const bool occurs = is_red ? std::ranges::any_of(content.nodes, &Node::highlighted)
                               : std::ranges::any_of(content.edges, [&](const Edge& edge) {
                                   return edge.relation == style.relation && !edge.highlighted;
                                 });
    if (!occurs) continue;
    const double needed = legend_line + 6 + text_width(style.meaning, TextSize::edge) + 14;
    if (at.x > start.x && at.x + needed > width) at = {start.x, at.y + legend_height};
    entries.push_back({&style, at});
    at.x += needed;
  }
  return entries;
}

void write_legend(Writer& writer, const std::vector<LegendEntry>& entries) {
  for (const auto& [style, at] : entries) {
    const std::string name = std::string("legend_") + style->name;
    const Point end = {at.x + legend_line, at.y};
    for (const auto& [suffix, point] : {std::pair{"from", at}, {"to", end}})
      writer.line("  {}_{} [shape=point, style=invis, width=0.01, height=0.01, pos=\"{}\"];", name, suffix,
                  writer.position(point));
    const bool directed = style->relation != Relation::barrier;
    const Spline spline = {at, {at.x + 8, at.y}, {at.x + 16, at.y}, end};
    writer.line("  {0}_from -> {0}_to [pos=\"{1}\", color=\"{2}\", style={3}, penwidth={4}{5}];", name,
                writer.curve(spline, directed), style->color, style->line, style->width,
                directed ? "" : ", dir=none");
    const double width = text_width(style->meaning, TextSize::edge);
    writer.text(name, style->meaning, {end.x + 6, at.y - 6, end.x + 6 + width, at.y + 6}, TextSize::edge,
                false, "#444444");
  }
}

/// Wraps text at blanks to lines of at most this width; line ends in the text are kept.
std::vector<std::string> wrapped(const std::string& text, double width, double font_size) {
  std::vector<std::string> lines;
  std::istringstream input(text);
  for (std::string paragraph; std::getline(input, paragraph);) {
    lines.emplace_back();
    std::istringstream words(paragraph);
    for (std::string word; words >> word;) {
      const bool fits = text_width(lines.back() + " " + word, font_size) <= width;
      if (!lines.back().empty() && !fits) lines.emplace_back();
      lines.back() += (lines.back().empty() ? "" : " ") + word;
    }
  }
  return lines;
}

void write_footer(Writer& writer, const std::vector<std::string>& lines, double y, double width) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const double top = y + i * footer_line;
    const double right = std::max(width, text_width(lines[i], TextSize::instruction));
    writer.text(fmt::format("footer{}", i), lines[i], {0, top, right, top + 18}, TextSize::instruction, false,
                "black");
  }
}

void write_head(Writer& writer) {
  writer.line("// Places everything itself: render with  dot -Tsvg FILE");
  writer.line("digraph execution {{");
  writer.line("  graph [layout=nop2, outputorder=edgesfirst, pad=0.15];");
  writer.line(
      "  node [shape=box, style=\"rounded,filled\", fillcolor=white, color=\"#555555\", margin=0, "
      "fixedsize=true, fontname=\"{}\", fontsize={}];",
      fixed_font, TextSize::instruction);
  writer.line("  edge [arrowsize={}, fontname=\"{}\", fontsize={}];", arrow_scale, font, TextSize::edge);
}

}  // namespace
}  // namespace drawing

std::string draw_dot(const Execution& execution, const DrawingOptions& options) {
  using namespace drawing;
  const Content content = content_of(execution, options);
  const Layout layout = layout_of(content);
  const double width = std::max(layout.width, 300.0);
  const double footer_y = layout.height + 8;
  const std::vector<std::string> footer = wrapped(options.footer, width, TextSize::instruction);
  const double legend_y = footer_y + footer.size() * footer_line + 10;
  const std::vector<LegendEntry> legend = legend_of(content, {2, legend_y}, width);

  Writer writer{content, layout};
  writer.shift = options.title.empty() ? 0 : title_height;
  writer.height = writer.shift + (legend.empty() ? legend_y : legend.back().at.y) + 10;
  write_head(writer);
  writer.boxes();
  for (const int id : content.initial) writer.initial_write(id);
  writer.headings();
  writer.edges();
  write_legend(writer, legend);
  if (!options.title.empty())
    writer.text("title", options.title,
                {0, -title_height, std::max(width, text_width(options.title, TextSize::title)), -4},
                TextSize::title, true, "black");
  write_footer(writer, footer, footer_y, width);
  writer.line("}}");
  return std::move(writer.out);
}

}  // namespace ptxmc
