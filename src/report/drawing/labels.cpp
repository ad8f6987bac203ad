#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/report/drawing/layout.hpp"

namespace ptxmc::drawing {

namespace {

constexpr int steps_per_curve = 24;

Point at(const Point* p, double t) {
  const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
          a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Points along a spline, at equal distances.
std::vector<Point> points_along(const Spline& spline, double step) {
  std::vector<Point> fine;
  for (std::size_t curve = 0; curve + 3 < spline.size(); curve += 3)
    for (int i = 0; i <= steps_per_curve; ++i)
      fine.push_back(at(&spline[curve], static_cast<double>(i) / steps_per_curve));
  std::vector<Point> points = {fine.front()};
  double left = step;  // until the next point
  for (std::size_t i = 1; i < fine.size(); ++i) {
    const Point a = fine[i - 1], b = fine[i];
    const double length = distance(a, b);
    for (; left <= length; left += step)
      points.push_back({a.x + left / length * (b.x - a.x), a.y + left / length * (b.y - a.y)});
    left -= length;
  }
  return points;
}

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool contains(const Rectangle& a, Point p) {
  return a.left <= p.x && p.x <= a.right && a.top <= p.y && p.y <= a.bottom;
}

/// What a label may cover: the more, the worse the place.
struct Obstacles {
  const Layout& layout;
  std::vector<std::vector<Point>> curves;  // by edge
  std::vector<Rectangle> labels;           // placed already

  double cost(const Rectangle& label, int own_edge) const {
    double sum = 0;
    const Rectangle vicinity = {label.left - 3, label.top - 2, label.right + 3, label.bottom + 2};
    for (const Rectangle& node : layout.nodes)
      if (overlap(vicinity, node)) sum += 1000;
    for (const Rectangle& column : layout.columns)
      if (overlap(label, {column.left, column.top, column.right, column.top + 18})) sum += 60;
    for (const Rectangle& other : labels)
      if (overlap(vicinity, other)) sum += 500;
    for (std::size_t edge = 0; edge < curves.size(); ++edge)
      if (static_cast<int>(edge) != own_edge)
        sum += 6.0 * std::ranges::count_if(curves[edge], [&](Point p) { return contains(vicinity, p); });
    for (const Box& box : layout.boxes)
      for (const double x : {box.where.left, box.where.right})
        if (label.left < x && x < label.right) sum += 2;
    return sum;
  }
};

Rectangle around(Point center, double width, double height) {
  return {center.x - width / 2, center.y - height / 2, center.x + width / 2, center.y + height / 2};
}

Rectangle best_place(const Obstacles& obstacles, int edge, double width, double height) {
  const auto& points = obstacles.curves[edge];
  const double middle = (points.size() - 1) / 2.0;
  Rectangle best;
  double best_cost = HUGE_VAL;
  const std::size_t arrow = points.size() > 12 ? 4 : 0;  // points at the ends to be left free
  for (std::size_t i = arrow; i + arrow < points.size(); ++i) {
    const Rectangle place = around(points[i], width, height);
    const double off_middle = std::abs(i - middle) / (middle + 1);
    const double cost = obstacles.cost(place, edge) + 10 * off_middle * off_middle;
    if (cost < best_cost) best = place, best_cost = cost;
  }
  return best;
}

}  // namespace

/// On its curve, near the middle, where it covers the least; short curves, which have the least choice,
/// come first.
void place_labels(const Content& content, Layout& layout) {
  Obstacles obstacles{layout, {}, {}};
  for (const Spline& spline : layout.splines) obstacles.curves.push_back(points_along(spline, 3));
  std::vector<int> order(content.edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int edge) { return obstacles.curves[edge].size(); });
  layout.labels.assign(content.edges.size(), {});
  for (const int edge : order) {
    const std::string& text = content.edges[edge].label;
    if (text.empty()) continue;
    const Rectangle label = best_place(obstacles, edge, text_width(text, TextSize::edge) + 3, 11);
    layout.labels[edge] = label;
    obstacles.labels.push_back(label);
  }
}

}  // namespace ptxmc::drawing
