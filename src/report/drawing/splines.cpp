#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "src/report/drawing/layout.hpp"

namespace ptxmc::drawing {

namespace {

constexpr double track_entry = 20;  // the height over which a vertical track bends into its node

/// The end points of curves: by edge, at its `from` and its `to`.
struct Ends {
  std::vector<Point> from, to;
};

/// An end of a curve on a side of a node, with its order among the other ends there. From top to bottom these
/// are arcs from above, tracks from above (outside of the arcs), curves to other columns by the height of
/// their targets, and arcs to below.
struct End {
  enum class Group { arc_up, track, across, arc_down };
  int edge;
  bool is_from;
  Group group;
  double order;
};

End end_of(const Content& content, const Layout& layout, int index, bool is_from) {
  const Edge& edge = content.edges[index];
  const Route& route = layout.routes[index];
  const int node = is_from ? edge.from : edge.to, other = is_from ? edge.to : edge.from;
  switch (route.shape) {
    case Route::Shape::from_above:
      return {index, is_from, End::Group::track, route.offset};
    case Route::Shape::arc:
      // Arcs are nested: the outer arc begins above the inner one and ends below it.
      if (layout.row_of[other] < layout.row_of[node])
        return {index, is_from, End::Group::arc_up, route.offset};
      return {index, is_from, End::Group::arc_down, -route.offset};
    default:
      break;
  }
  const double y =
      route.corridor < 0 ? layout.nodes[other].center().y : layout.corridors[route.corridor] + route.offset;
  return {index, is_from, End::Group::across, y};
}

/// Spreads the ends on each side of each node, in the order in which the curves leave without crossing.
void spread_on_sides(const Content& content, const Layout& layout, Ends& ends) {
  std::map<std::pair<int, Side>, std::vector<End>> sides;
  for (int i = 0; i < static_cast<int>(content.edges.size()); ++i) {
    const Edge& edge = content.edges[i];
    const Route& route = layout.routes[i];
    if (route.shape == Route::Shape::straight || route.enters_top) continue;
    if (layout.column_of[edge.from] >= 0)
      sides[{edge.from, route.from_side}].push_back(end_of(content, layout, i, true));
    if (layout.column_of[edge.to] >= 0)
      sides[{edge.to, route.to_side}].push_back(end_of(content, layout, i, false));
  }
  for (auto& [key, side] : sides) {
    std::ranges::sort(side, {}, [](const End& end) { return std::tuple(end.group, end.order, end.edge); });
    const Rectangle& node = layout.nodes[key.first];
    for (std::size_t k = 0; k < side.size(); ++k) {
      const Point at = {key.second == Side::left ? node.left : node.right,
                        node.top + node.height() * (k + 1.0) / (side.size() + 1.0)};
      (side[k].is_from ? ends.from : ends.to)[side[k].edge] = at;
    }
  }
}

/// Spreads points over a horizontal border, in the order of their targets.
void spread_on_border(std::vector<std::pair<double, Point*>> points, double left, double right, double y) {
  std::ranges::stable_sort(points, {}, [](const auto& point) { return point.first; });
  for (std::size_t k = 0; k < points.size(); ++k)
    *points[k].second = {left + (right - left) * (k + 1.0) / (points.size() + 1.0), y};
}

/// Spreads ends on the lower borders of initial writes, and on the upper borders of nodes that they enter
/// from above.
void spread_on_borders(const Content& content, const Layout& layout, Ends& ends) {
  std::map<int, std::vector<std::pair<double, Point*>>> lower, upper;
  for (std::size_t i = 0; i < content.edges.size(); ++i) {
    const Edge& edge = content.edges[i];
    if (layout.routes[i].shape != Route::Shape::from_above) continue;
    const bool down = layout.column_of[edge.from] < 0;
    const int initial = down ? edge.from : edge.to, node = down ? edge.to : edge.from;
    const double initial_x = layout.nodes[initial].center().x, node_x = layout.nodes[node].center().x;
    lower[initial].emplace_back(node_x, down ? &ends.from[i] : &ends.to[i]);
    if (layout.routes[i].enters_top) upper[node].emplace_back(initial_x, down ? &ends.to[i] : &ends.from[i]);
  }
  for (const auto& [node, points] : lower) {
    const Rectangle& where = layout.nodes[node];
    spread_on_border(points, where.left, where.right, where.bottom);
  }
  for (const auto& [node, points] : upper) {
    const Rectangle& where = layout.nodes[node];
    const double after_name = where.left + heading_width(content, layout.column_of[node]);
    spread_on_border(points, after_name, where.right, where.top);
  }
}

/// Continues with a curve that is horizontal at both ends and steepest near `x`.
void curve_horizontally(Spline& spline, Point to, double x) {
  const Point from = spline.back();
  spline.insert(spline.end(), {{x, from.y}, {x, to.y}, to});
}

void curve_vertically(Spline& spline, Point to) {
  const Point from = spline.back();
  const double reach = (to.y - from.y) / 2;
  spline.insert(spline.end(), {{from.x, from.y + reach}, {to.x, to.y - reach}, to});
}

void straight_on(Spline& spline, Point to) {
  const Point from = spline.back();
  spline.insert(spline.end(), {{from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3},
                               {to.x - (to.x - from.x) / 3, to.y - (to.y - from.y) / 3},
                               to});
}

Spline arc(Point from, Point to, const Route& route) {
  const double bulge = route.offset * (route.to_side == Side::left ? -4.0 : 4.0) / 3.0;
  return {from, {from.x + bulge, from.y}, {to.x + bulge, to.y}, to};
}

/// The part of an edge in the gap between two neighbouring columns.
struct Leg {
  int edge;
  bool is_last;  ///< the second of the edge's two legs, if it has two
  Point left, right;
  double steepest = 0;  ///< the x of the steepest point

  bool rises() const { return right.y < left.y; }
  double height() const { return (left.y + right.y) / 2; }
};

/// The points at which an edge with a corridor leaves the first gap and enters the last one.
std::pair<Point, Point> corridor_ends(const Layout& layout, const Edge& edge, const Route& route) {
  const int first = layout.column_of[edge.from], last = layout.column_of[edge.to];
  const double y = layout.corridors[route.corridor] + route.offset;
  if (first < last) return {{layout.columns[first + 1].left, y}, {layout.columns[last - 1].right, y}};
  return {{layout.columns[first - 1].right, y}, {layout.columns[last + 1].left, y}};
}

/// The legs in each gap, by the column to the left of it.
std::map<int, std::vector<Leg>> legs_of(const Content& content, const Layout& layout, const Ends& ends) {
  std::map<int, std::vector<Leg>> gaps;
  const auto add = [&](int edge, bool is_last, Point from, Point to, int column) {
    const bool rightwards = from.x < to.x;
    gaps[column].push_back({edge, is_last, rightwards ? from : to, rightwards ? to : from});
  };
  for (int i = 0; i < static_cast<int>(content.edges.size()); ++i) {
    const Edge& edge = content.edges[i];
    const Route& route = layout.routes[i];
    if (route.shape != Route::Shape::across) continue;
    const int first = layout.column_of[edge.from], last = layout.column_of[edge.to];
    if (route.corridor < 0) {
      add(i, false, ends.from[i], ends.to[i], std::min(first, last));
    } else {
      const auto [leave, enter] = corridor_ends(layout, edge, route);
      add(i, false, ends.from[i], leave, first < last ? first : first - 1);
      add(i, true, enter, ends.to[i], first < last ? last - 1 : last);
    }
  }
  return gaps;
}

/// Separates rising legs and falling legs, in an order without crossings.
void spread_legs(std::vector<Leg>& legs) {
  constexpr double widest = 18;
  for (const bool rising : {true, false}) {
    std::vector<Leg*> steep;
    for (Leg& leg : legs) {
      leg.steepest = leg.steepest == 0 ? (leg.left.x + leg.right.x) / 2 : leg.steepest;
      if (leg.rises() == rising && std::abs(leg.left.y - leg.right.y) > 20) steep.push_back(&leg);
    }
    std::ranges::stable_sort(steep, {},
                             [=](const Leg* leg) { return rising ? leg->height() : -leg->height(); });
    for (std::size_t k = 0; k < steep.size(); ++k) {
      const double distance = std::min(widest, (steep[k]->right.x - steep[k]->left.x) / (steep.size() + 1));
      steep[k]->steepest += (k - (steep.size() - 1) / 2.0) * distance;
    }
  }
}

Spline across(const Layout& layout, const Edge& edge, const Route& route, Point from, Point to,
              const std::array<double, 2>& steepest) {
  Spline spline = {from};
  if (route.corridor >= 0) {
    const auto [leave, enter] = corridor_ends(layout, edge, route);
    curve_horizontally(spline, leave, steepest[0]);
    straight_on(spline, enter);
  }
  curve_horizontally(spline, to, steepest[route.corridor >= 0]);
  return spline;
}

/// The curve from an initial write to a node: to its top, or beside its column and into its side.
Spline from_above(const Layout& layout, int column, const Route& route, Point from, Point to) {
  Spline spline = {from};
  if (route.enters_top) {
    curve_vertically(spline, to);
    return spline;
  }
  const double x = to.x + (route.to_side == Side::left ? -route.offset : route.offset);
  curve_vertically(spline, {x, layout.columns[column].top + 8});
  straight_on(spline, {x, to.y - track_entry});
  spline.insert(spline.end(), {{x, to.y - track_entry * 0.45}, {to.x + (x - to.x) * 0.55, to.y}, to});
  return spline;
}

/// Straight lines through points, with round corners.
Spline rounded(const std::vector<Point>& points) {
  constexpr double radius = 8;
  const auto towards = [](Point from, Point to) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double part = length == 0 ? 0 : std::min(radius / length, 0.5);
    return Point{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
  };
  Spline spline = {points.front()};
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    straight_on(spline, towards(points[i], points[i - 1]));
    const Point after = towards(points[i], points[i + 1]);
    spline.insert(spline.end(), {points[i], points[i], after});
  }
  straight_on(spline, points.back());
  return spline;
}

/// The curve from the side of a node along the track beside its column and through the lanes between the
/// bands.
Spline between_bands(const Layout& layout, const Edge& edge, const Route& route, Point from, Point to) {
  const double first_track = layout.columns[layout.column_of[edge.from]].right + route.from_offset;
  const double last_track = layout.columns[layout.column_of[edge.to]].right + route.offset;
  std::vector<Point> points = {from, {first_track, from.y}, {first_track, route.first_lane}};
  if (route.margin != 0)
    points.insert(points.end(), {{route.margin, route.first_lane}, {route.margin, route.last_lane}});
  points.insert(points.end(), {{last_track, route.last_lane}, {last_track, to.y}, to});
  return rounded(points);
}

}  // namespace

void draw_splines(const Content& content, Layout& layout) {
  Ends ends{std::vector<Point>(content.edges.size()), std::vector<Point>(content.edges.size())};
  spread_on_sides(content, layout, ends);
  spread_on_borders(content, layout, ends);
  std::vector<std::array<double, 2>> steepest(content.edges.size());
  for (auto& [column, legs] : legs_of(content, layout, ends)) {
    spread_legs(legs);
    for (const Leg& leg : legs) steepest[leg.edge][leg.is_last] = leg.steepest;
  }
  for (std::size_t i = 0; i < content.edges.size(); ++i) {
    const Edge& edge = content.edges[i];
    const Route& route = layout.routes[i];
    const Rectangle &from = layout.nodes[edge.from], &to = layout.nodes[edge.to];
    Spline spline;
    switch (route.shape) {
      case Route::Shape::straight:
        spline = {{from.center().x, from.bottom}};
        straight_on(spline, {to.center().x, to.top});
        break;
      case Route::Shape::arc:
        spline = arc(ends.from[i], ends.to[i], route);
        break;
      case Route::Shape::across:
        spline = across(layout, edge, route, ends.from[i], ends.to[i], steepest[i]);
        break;
      case Route::Shape::between_bands:
        spline = between_bands(layout, edge, route, ends.from[i], ends.to[i]);
        break;
      case Route::Shape::from_above: {
        const bool down = layout.column_of[edge.from] < 0;
        const int column = layout.column_of[down ? edge.to : edge.from];
        const Point upper = down ? ends.from[i] : ends.to[i], lower = down ? ends.to[i] : ends.from[i];
        spline = from_above(layout, column, route, upper, lower);
        if (!down) std::ranges::reverse(spline);
        break;
      }
    }
    layout.splines.push_back(std::move(spline));
  }
}

}  // namespace ptxmc::drawing
