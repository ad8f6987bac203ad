#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/report/drawing/layout.hpp"
#include "src/report/drawing/style.hpp"
#include "src/report/picture.hpp"

namespace ptxmc {

namespace drawing {
namespace {

constexpr double arrow_length = 7, arrow_half_width = 3, margin = 4;

/// Writes the picture. The page that shows it has the styles of its classes.
struct SvgWriter {
  const Content& content;
  const Layout& layout;
  std::string out = {};

  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
  }

  void text(const std::string& text, double x, double y, const char* kind, const char* attributes = "") {
    add("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", kind, x, y, attributes, xml_text(text));
  }

  void rectangle(const Rectangle& where, const char* attributes) {
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", where.left, where.top,
        where.width(), where.height(), attributes);
  }

  void boxes() {
    for (const Box& box : layout.boxes) {
      rectangle(box.where, "class=\"box\" rx=\"8\"");
      text(box.label, box.where.left + 8, box.where.bottom - 6, "label");
    }
  }

  void headings() {
    for (std::size_t column = 0; column < content.columns.size(); ++column)
      text(column_title(content, column), layout.columns[column].left, layout.columns[column].top + 13,
           "thread");
  }

  const char* kind_of(const Node& node) const {
    switch (content.execution->events[node.events.front()].kind) {
      case EventKind::initial_write:
        return "initial";
      case EventKind::fence:
        return "fence";
      case EventKind::barrier:
      case EventKind::wait:
        return "barrier";
      default:
        return "access";
    }
  }

  /// An event; `data-line` is the line of its instruction in the source text.
  void node(std::size_t id) {
    const Node& node = content.nodes[id];
    const Rectangle& where = layout.nodes[id];
    const Execution& execution = *content.execution;
    const std::uint32_t line = line_of(execution, node);
    add("<g class=\"event {}{}\"", kind_of(node), node.highlighted ? " red" : "");
    if (line != 0) add(" data-line=\"{}\"", line);
    add(">");
    rectangle(where, "rx=\"4\"");
    const std::vector<std::string> values = value_lines(execution, node);
    if (node.thread == Event::no_thread) {
      text(values.front(), where.center().x, where.center().y + 4, "code", " text-anchor=\"middle\"");
    } else {
      const double x = where.left + 6;
      text(instruction_text(execution, node), x, where.top + 14, "code");
      const std::string letter = node.letter + (values.empty() ? "" : ": " + values.front());
      text(letter, x, where.top + 26, "value");
      for (std::size_t i = 1; i < values.size(); ++i)
        text(values[i], x + 16, where.top + 26 + 12 * static_cast<double>(i), "value");
      text(place_text(content, node), where.right - 6, where.top + 26, "place", " text-anchor=\"end\"");
    }
    add("</g>");
  }

  /// The head of an arrow whose tip is the end of the spline, and the spline up to it.
  std::string arrow_head(Spline& spline) const {
    const Point tip = spline.back(), before = spline[spline.size() - 2];
    const double length = std::hypot(tip.x - before.x, tip.y - before.y);
    const double dx = length == 0 ? 0 : (tip.x - before.x) / length;
    const double dy = length == 0 ? 1 : (tip.y - before.y) / length;
    const Point base = {tip.x - dx * arrow_length, tip.y - dy * arrow_length};
    spline.back() = base;
    return fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z", tip.x, tip.y,
                       base.x - dy * arrow_half_width, base.y + dx * arrow_half_width,
                       base.x + dy * arrow_half_width, base.y - dx * arrow_half_width);
  }

  static const char* dashes(const Style& style) {
    const std::string_view line = style.line;
    return line == "dashed"   ? " stroke-dasharray=\"5 3\""
           : line == "dotted" ? " stroke-dasharray=\"1.5 3\""
                              : "";
  }

  void edge(std::size_t index) {
    const Edge& edge = content.edges[index];
    const Style& style = style_of(edge.relation);
    const char* const color = edge.highlighted ? highlight_color : style.color;
    Spline spline = layout.splines[index];
    const std::string head = edge.directed ? arrow_head(spline) : "";
    add("<g class=\"edge\" data-relation=\"{}\"><path d=\"M{:.1f} {:.1f}",
        edge.highlighted ? "red" : style.name, spline.front().x, spline.front().y);
    for (std::size_t i = 1; i < spline.size(); ++i)
      add("{}{:.1f} {:.1f}", i % 3 == 1 ? "C" : " ", spline[i].x, spline[i].y);
    add("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>", color,
        edge.highlighted ? highlight_width : style.width, dashes(style));
    if (!head.empty()) add("<path d=\"{}\" fill=\"{}\"/>", head, color);
    if (!edge.label.empty()) {
      const Point at = layout.labels[index].center();
      text(edge.label, at.x, at.y + 3, "relation",
           fmt::format(" text-anchor=\"middle\" style=\"fill:{}\"", color).c_str());
    }
    add("</g>");
  }

  /// Highlighted edges are above the others.
  void edges() {
    for (const bool highlighted : {false, true})
      for (std::size_t i = 0; i < content.edges.size(); ++i)
        if (content.edges[i].highlighted == highlighted) edge(i);
  }
};

}  // namespace
}  // namespace drawing

Picture draw_svg(const Execution& execution, const DrawingOptions& options) {
  using namespace drawing;
  const Content content = content_of(execution, options);
  const Layout layout = layout_of(content);
  SvgWriter writer{content, layout};
  writer.add(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{0:.0f} {0:.0f} {1:.0f} {2:.0f}\" "
      "width=\"{1:.0f}\" height=\"{2:.0f}\">",
      -margin, layout.width + 2 * margin, layout.height + 2 * margin);
  writer.boxes();
  writer.headings();
  writer.edges();
  for (const int id : content.initial) writer.node(static_cast<std::size_t>(id));
  for (const std::vector<int>& column : content.columns)
    for (const int id : column) writer.node(static_cast<std::size_t>(id));
  writer.add("</svg>");
  Picture picture{options.title, options.footer, std::move(writer.out), {}};
  for (const Style& style : styles)
    if (std::ranges::any_of(content.edges, [&](const Edge& edge) {
          return edge.relation == style.relation && !edge.highlighted;
        }))
      picture.relations.push_back({style.name, style.meaning, style.color});
  if (std::ranges::any_of(content.edges, &Edge::highlighted))
    picture.relations.push_back({"red", "the reason", highlight_color});
  return picture;
}

std::vector<Picture> pictures_of(const std::vector<DrawnExecution>& executions, const std::string& file) {
  std::vector<Picture> pictures;
  for (const DrawnExecution& one : executions) {
    pictures.push_back(draw_svg(one.execution, one.drawing));
    pictures.back().file = file;
  }
  return pictures;
}

}  // namespace ptxmc
