#include "src/report/drawing/layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "semantics/language/visible_text.hpp"

namespace ptxmc::drawing {

namespace {

constexpr double box_padding = 12;  // between a box and its content, on each side
constexpr double box_label = 16;    // height of the label at its lower end
constexpr double heading_height = 20;
constexpr double row_gap = 28;
constexpr double initial_height = 22;
constexpr double initial_gap = 26;  // between initial writes and the boxes below

/// The barrier phase of a node of this column, or -1. If a thread arrives and waits in separate instructions,
/// the waiting node has the phase.
int meeting_phase(const Content& content, const std::vector<int>& column, int node) {
  const auto event_of = [&](int other) { return content.nodes[other].events.front(); };
  const auto phase_of = [&](int other) { return content.execution->barrier_phase.at(event_of(other)); };
  const bool waits_apart = content.execution->events[event_of(node)].barrier.kind == Barrier::Kind::arrive &&
                           std::ranges::any_of(column, [&](int other) {
                             return other != node && phase_of(other) == phase_of(node);
                           });
  return waits_apart ? -1 : phase_of(node);
}

double node_width(const Content& content, const Node& node) {
  const Execution& execution = *content.execution;
  double widest = text_width(instruction_text(execution, node), TextSize::instruction);
  const std::string beside = node.letter + ":    " + place_text(content, node);
  double values = text_width(beside, TextSize::value);
  for (const std::string& text : value_lines(execution, node))
    values = std::max(values, text_width(beside + text, TextSize::value));
  return std::max(widest, values) + 16;
}

/// The height that a node needs for its text and for the ends of curves on both sides.
double node_height(const Content& content, const Layout& layout, int node) {
  int ends[2] = {0, 0};
  for (std::size_t edge = 0; edge < content.edges.size(); ++edge) {
    const Route& route = layout.routes[edge];
    if (route.shape == Route::Shape::straight) continue;
    if (content.edges[edge].from == node) ++ends[route.from_side == Side::right];
    if (content.edges[edge].to == node) ++ends[route.to_side == Side::right];
  }
  const double text =
      22 + 12.0 * std::max<std::size_t>(1, value_lines(*content.execution, content.nodes[node]).size());
  return std::max(text, 9.0 * (std::max(ends[0], ends[1]) + 1));
}

const Placement& placement(const Content& content, int column) {
  return content.execution->program->threads[content.threads[column]].placement;
}

/// Whether clusters get boxes: some cluster has several CTAs.
bool has_wide_clusters(const Content& content) {
  std::map<int, std::set<int>> ctas;
  for (std::size_t column = 0; column < content.threads.size(); ++column)
    ctas[placement(content, column).cluster].insert(placement(content, column).cta);
  return std::ranges::any_of(ctas, [](const auto& cluster) { return cluster.second.size() > 1; });
}

using NumberOf = int (*)(const Placement&);

/// A box for each run of columns with the same number.
void add_boxes(const Content& content, Layout& layout, int depth, const std::string& word, NumberOf number) {
  const int count = static_cast<int>(content.threads.size());
  for (int first = 0; first < count;) {
    const int here = number(placement(content, first));
    int last = first;
    const int band = content.band_of_column(first);
    while (last + 1 < count && number(placement(content, last + 1)) == here &&
           content.band_of_column(last + 1) == band)
      ++last;
    const std::string text = std::to_string(here);
    layout.boxes.push_back({word + " " + text,
                            word + text + (band == 0 ? "" : "_" + std::to_string(band)),
                            depth,
                            first,
                            last,
                            {}});
    first = last + 1;
  }
}

int add_all_boxes(const Content& content, Layout& layout) {
  int depth = 0;
  add_boxes(content, layout, depth++, "GPU", [](const Placement& p) { return p.gpu; });
  if (has_wide_clusters(content))
    add_boxes(content, layout, depth++, "cluster", [](const Placement& p) { return p.cluster; });
  add_boxes(content, layout, depth++, "CTA", [](const Placement& p) { return p.cta; });
  return depth;
}

/// The space that arcs and tracks need beside a column.
double room_beside(const Content& content, const Layout& layout, int column, Side side) {
  double room = 0;
  for (std::size_t edge = 0; edge < content.edges.size(); ++edge) {
    const Route& route = layout.routes[edge];
    const bool beside =
        route.shape == Route::Shape::arc || (route.shape == Route::Shape::from_above && !route.enters_top);
    const int from = layout.column_of[content.edges[edge].from],
              to = layout.column_of[content.edges[edge].to];
    if (beside && std::max(from, to) == column && route.to_side == side)
      room = std::max(room, route.offset + 6);
    if (route.shape != Route::Shape::between_bands || side != Side::right) continue;
    if (from == column) room = std::max(room, route.from_offset + 6);
    if (to == column) room = std::max(room, route.offset + 6);
  }
  return room;
}

/// The space between neighbouring columns of a band, in which curves must be distinguishable.
double room_between(const Content& content, const Layout& layout, int left_column) {
  int crossing = 0;
  for (std::size_t edge = 0; edge < content.edges.size(); ++edge) {
    const int from = layout.column_of[content.edges[edge].from],
              to = layout.column_of[content.edges[edge].to];
    if (layout.routes[edge].shape == Route::Shape::across && std::min(from, to) <= left_column &&
        std::max(from, to) > left_column)
      ++crossing;
  }
  return std::clamp(56.0 + 12 * crossing, 72.0, 160.0);
}

int boxes_ending(const Layout& layout, int column, int Box::*end) {
  return static_cast<int>(
      std::ranges::count_if(layout.boxes, [&](const Box& box) { return box.*end == column; }));
}

/// The number of edges from initial writes that pass beside the name of a column.
int entries_from_above(const Content& content, const Layout& layout, int column) {
  int count = 0;
  for (std::size_t edge = 0; edge < content.edges.size(); ++edge)
    count += layout.routes[edge].enters_top && std::max(layout.column_of[content.edges[edge].from],
                                                        layout.column_of[content.edges[edge].to]) == column;
  return count;
}

void place_columns(const Content& content, Layout& layout, double left) {
  const int count = static_cast<int>(content.columns.size());
  double x = left;
  for (int column = 0; column < count; ++column) {
    double width = heading_width(content, column) + 10 + 14.0 * entries_from_above(content, layout, column);
    for (const int node : content.columns[column])
      width = std::max(width, node_width(content, content.nodes[node]));
    const bool is_first = column == 0 || content.band_of_column(column) != content.band_of_column(column - 1);
    if (!is_first) {
      const double borders = box_padding * (boxes_ending(layout, column - 1, &Box::last_column) +
                                            boxes_ending(layout, column, &Box::first_column));
      const double arcs = room_beside(content, layout, column - 1, Side::right) +
                          room_beside(content, layout, column, Side::left);
      x += std::max(room_between(content, layout, column - 1), borders + 20) + arcs;
    } else {
      x = left + box_padding * boxes_ending(layout, column, &Box::first_column) +
          room_beside(content, layout, column, Side::left);
    }
    layout.columns.push_back({x, 0, x + width, 0});
    x += width;
  }
}

/// Places the rows of a band from `top` on. Returns their end.
double place_rows(const Content& content, Layout& layout, int band, double top,
                  const std::vector<double>& heights, const std::vector<int>& tracks) {
  const int first = layout.first_row[band], last = layout.first_row[band + 1];
  double y = top + heading_height;
  for (int row = first; row <= last; ++row) {
    const bool outermost = row == first || row == last;
    const double gap = (outermost ? 4 : row_gap) + track_distance * tracks[2 * row];
    layout.corridors[2 * row] = y + gap / 2;
    y += gap;
    if (row == last) break;
    layout.corridors[2 * row + 1] = y + heights[row] / 2;
    for (std::size_t node = 0; node < content.nodes.size(); ++node)
      if (layout.row_of[node] == row) {
        const Rectangle& column = layout.columns[layout.column_of[node]];
        layout.nodes[node] = {column.left, y, column.right, y + heights[row]};
      }
    y += heights[row];
  }
  for (std::size_t column = 0; column < layout.columns.size(); ++column)
    if (content.band_of_column(static_cast<int>(column)) == band)
      layout.columns[column].top = top, layout.columns[column].bottom = y;
  return y;
}

/// Places the lanes of a gap between bands from `top` on. Returns their end.
double place_lanes(const Content& content, Layout& layout, int gap, double top) {
  double y = top;
  for (std::size_t i = 0; i < content.edges.size(); ++i) {
    Route& route = layout.routes[i];
    if (route.shape != Route::Shape::between_bands) continue;
    const BandGaps gaps = gaps_of(content, content.edges[i]);
    if (gap != gaps.first && gap != gaps.last) continue;
    y += track_distance;
    if (gap == gaps.first) route.first_lane = y;
    if (gap == gaps.last) route.last_lane = y;
  }
  return y + track_distance;
}

/// Places the bands from the top: initial writes, boxes with headings and rows, then the lanes to the next
/// band.
void place_bands(const Content& content, Layout& layout, int depths) {
  std::vector<double> heights(layout.row_count, 0);
  for (std::size_t node = 0; node < content.nodes.size(); ++node)
    if (layout.row_of[node] >= 0)
      heights[layout.row_of[node]] =
          std::max(heights[layout.row_of[node]], node_height(content, layout, static_cast<int>(node)));
  std::vector<int> tracks(2 * layout.row_count + 1, 0);
  for (const Route& route : layout.routes)
    if (route.corridor >= 0) ++tracks[route.corridor];
  layout.corridors.assign(2 * layout.row_count + 1, 0);
  double y = 0;
  for (int band = 0; band < content.bands(); ++band) {
    if (band > 0) y = place_lanes(content, layout, band, y + (box_label + 2) * depths + 6);
    for (const int node : content.initial)
      if (content.nodes[node].band == band) layout.nodes[node] = {0, y, 0, y + initial_height};
    const bool has_initial =
        std::ranges::any_of(content.initial, [&](int node) { return content.nodes[node].band == band; });
    if (has_initial) y += initial_height + initial_gap;
    y = place_rows(content, layout, band, y + 8.0 * depths, heights, tracks);
  }
}

void place_boxes(const Content& content, Layout& layout, int depths) {
  for (Box& box : layout.boxes) {
    // Boxes of all depths that begin or end here are nested; each outer box is larger by one padding.
    const double inside = box_padding * (depths - box.depth);
    const double below = (box_label + 2) * (depths - box.depth - 1) + box_label + 6;
    box.where = {layout.columns[box.first_column].left - inside -
                     room_beside(content, layout, box.first_column, Side::left),
                 layout.columns[box.first_column].top - 8.0 * (depths - box.depth),
                 layout.columns[box.last_column].right + inside +
                     room_beside(content, layout, box.last_column, Side::right),
                 layout.columns[box.first_column].bottom + below};
  }
}

/// The x at which an edge from an initial write goes down.
double entry_x(const Layout& layout, const Route& route, int column) {
  const Rectangle& where = layout.columns[column];
  if (route.enters_top) return where.center().x;
  return route.to_side == Side::left ? where.left - route.offset : where.right + route.offset;
}

/// The x of the curves from the bands above.
std::vector<double> tracks_into(const Content& content, const Layout& layout, int band) {
  std::vector<double> tracks;
  for (std::size_t i = 0; i < content.edges.size(); ++i) {
    const Route& route = layout.routes[i];
    const Edge& edge = content.edges[i];
    const int from = content.nodes[edge.from].band, to = content.nodes[edge.to].band;
    if (route.shape != Route::Shape::between_bands || std::max(from, to) < band) continue;
    if (from == band && to < from)
      tracks.push_back(layout.columns[layout.column_of[edge.from]].right + route.from_offset);
    if (to == band && from < to)
      tracks.push_back(layout.columns[layout.column_of[edge.to]].right + route.offset);
  }
  return tracks;
}

/// The x of a free space for a box of this width between the tracks, from `left` on.
double beside_tracks(std::vector<double> tracks, double left, double width) {
  constexpr double distance = 5;
  std::ranges::sort(tracks);
  for (const double track : tracks)
    if (left - distance < track && track < left + width + distance) left = track + distance;
  return left;
}

/// Places initial writes above the columns in which they are read, in this order, without overlaps.
void place_initial_writes(const Content& content, Layout& layout, int band) {
  struct Wish {
    int node;
    double x, width;
  };
  std::vector<Wish> wishes;
  for (const int node : content.initial) {
    if (content.nodes[node].band != band) continue;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < content.edges.size(); ++i) {
      const Edge& edge = content.edges[i];
      const int other = edge.from == node ? edge.to : edge.to == node ? edge.from : -1;
      if (other < 0 || layout.column_of[other] < 0) continue;
      sum += entry_x(layout, layout.routes[i], layout.column_of[other]), ++count;
    }
    const std::string text = value_lines(*content.execution, content.nodes[node]).front();
    wishes.push_back({node, count == 0 ? 0 : sum / count, text_width(text, TextSize::instruction) + 16});
  }
  std::ranges::stable_sort(wishes, {}, &Wish::x);
  const std::vector<double> tracks = tracks_into(content, layout, band);
  double free_from = 4;
  for (const Wish& wish : wishes) {
    const double left = beside_tracks(tracks, std::max(free_from, wish.x - wish.width / 2), wish.width);
    layout.nodes[wish.node].left = left;
    layout.nodes[wish.node].right = left + wish.width;
    free_from = left + wish.width + 14;
  }
}

/// The node in the same band that starts the asynchronous operation; -1 if the node is none.
int start_of(const Content& content, int node) {
  const auto starts = std::ranges::find_if(content.edges, [&](const Edge& edge) {
    return edge.relation == Relation::starts && edge.to == node &&
           content.nodes[edge.from].band == content.nodes[node].band;
  });
  return starts == content.edges.end() ? -1 : starts->from;
}

}  // namespace

double text_width(const std::string& text, double font_size) {
  return 0.602 * font_size * static_cast<double>(display_width(text));
}

double heading_width(const Content& content, int column) {
  return text_width(column_title(content, static_cast<std::size_t>(column)), TextSize::heading);
}

BandGaps gaps_of(const Content& content, const Edge& edge) {
  const int from = content.nodes[edge.from].band, to = content.nodes[edge.to].band;
  return from < to ? BandGaps{from + 1, to} : BandGaps{from, to + 1};
}

void assign_rows(const Content& content, Layout& layout) {
  layout.column_of.assign(content.nodes.size(), -1);
  layout.row_of.assign(content.nodes.size(), -1);
  std::vector<int> phase(content.nodes.size(), -1);
  for (std::size_t column = 0; column < content.columns.size(); ++column)
    for (const int node : content.columns[column]) {
      layout.column_of[node] = static_cast<int>(column);
      phase[node] = meeting_phase(content, content.columns[column], node);
    }

  // Events of a phase are pushed down to a common row. If phases contradict program order, this would not
  // end; then phases are ignored.
  std::map<std::pair<int, int>, int> phase_row;  // by phase and band
  bool moved = true;
  for (std::size_t round = 0; moved; ++round) {
    moved = false;
    if (round > content.nodes.size()) phase.assign(content.nodes.size(), -1);
    for (const auto& column : content.columns) {
      int row = 0;
      for (const int node : column) {
        if (const int start = start_of(content, node); start >= 0)
          row = std::max(row, layout.row_of[start] + 1);
        if (phase[node] >= 0) {
          int& met = phase_row[{phase[node], content.nodes[node].band}];
          row = met = std::max(row, met);
        }
        moved = moved || layout.row_of[node] != row;
        layout.row_of[node] = row++;
      }
    }
  }
  std::vector<int> rows(content.bands(), 0);
  for (std::size_t node = 0; node < content.nodes.size(); ++node)
    if (layout.row_of[node] >= 0)
      rows[content.nodes[node].band] = std::max(rows[content.nodes[node].band], layout.row_of[node] + 1);
  layout.first_row = {0};
  for (const int count : rows) layout.first_row.push_back(layout.first_row.back() + count);
  for (std::size_t node = 0; node < content.nodes.size(); ++node)
    if (layout.row_of[node] >= 0) layout.row_of[node] += layout.first_row[content.nodes[node].band];
  layout.row_count = layout.first_row.back();
}

void place(const Content& content, Layout& layout) {
  layout.nodes.assign(content.nodes.size(), {});
  const int depths = add_all_boxes(content, layout);
  place_columns(content, layout, 0);
  place_bands(content, layout, depths);
  place_boxes(content, layout, depths);
  for (int band = 0; band < content.bands(); ++band) place_initial_writes(content, layout, band);
  for (const Rectangle& node : layout.nodes) layout.width = std::max(layout.width, node.right);
  for (const Box& box : layout.boxes) {
    layout.width = std::max(layout.width, box.where.right);
    layout.height = std::max(layout.height, box.where.bottom);
  }
  for (std::size_t i = 0; i < content.edges.size(); ++i) {
    const bool has_margin =
        layout.routes[i].shape == Route::Shape::between_bands &&
        gaps_of(content, content.edges[i]).first != gaps_of(content, content.edges[i]).last;
    if (has_margin) layout.routes[i].margin = layout.width += track_distance;
  }
}

Layout layout_of(const Content& content) {
  Layout layout;
  assign_rows(content, layout);
  plan_routes(content, layout);
  place(content, layout);
  draw_splines(content, layout);
  place_labels(content, layout);
  return layout;
}

}  // namespace ptxmc::drawing
