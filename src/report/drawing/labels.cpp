#include <algorithm>
#include <cmath>
#include <map>
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
  double left = step;  // distance to the next point
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

/// The points of all curves, indexed by grid squares.
class PointIndex {
 public:
  void add(Point point, int edge) { squares_[{square(point.x), square(point.y)}].push_back({point, edge}); }

  /// The number of points in the rectangle that belong to other edges.
  int count(const Rectangle& area, int own_edge) const {
    int found = 0;
    for (int x = square(area.left); x <= square(area.right); ++x)
      for (int y = square(area.top); y <= square(area.bottom); ++y) {
        const auto points = squares_.find({x, y});
        if (points == squares_.end()) continue;
        for (const auto& [point, edge] : points->second) found += edge != own_edge && contains(area, point);
      }
    return found;
  }

 private:
  static int square(double coordinate) { return static_cast<int>(std::floor(coordinate / 24)); }

  std::map<std::pair<int, int>, std::vector<std::pair<Point, int>>> squares_;
};

/// Obstacles for labels. The more of them a position covers, the worse it is.
struct Obstacles {
  const Layout& layout;
  PointIndex curves = {};
  std::vector<Rectangle> labels = {};  // the labels placed so far

  double cost(const Rectangle& label, int own_edge) const {
    const Rectangle vicinity = {label.left - 3, label.top - 2, label.right + 3, label.bottom + 2};
    double sum = 6.0 * curves.count(vicinity, own_edge);
    for (const Rectangle& node : layout.nodes)
      if (overlap(vicinity, node)) sum += 1000;
    for (const Rectangle& column : layout.columns)
      if (overlap(label, {column.left, column.top, column.right, column.top + 18})) sum += 60;
    for (const Rectangle& other : labels)
      if (overlap(vicinity, other)) sum += 500;
    for (const Box& box : layout.boxes)
      for (const double x : {box.where.left, box.where.right})
        if (label.left < x && x < label.right) sum += 2;
    return sum;
  }
};

Rectangle around(Point center, double width, double height) {
  return {center.x - width / 2, center.y - height / 2, center.x + width / 2, center.y + height / 2};
}

/// The best position along the curve, which is given by points, except near its ends.
Rectangle best_place(const Obstacles& obstacles, const std::vector<Point>& curve, int edge, double width) {
  constexpr std::size_t most_tries = 100;
  const double middle = (curve.size() - 1) / 2.0;
  const std::size_t arrow = curve.size() > 12 ? 4 : 0;
  const std::size_t stride = 1 + curve.size() / most_tries;
  Rectangle best;
  double best_cost = HUGE_VAL;
  for (std::size_t i = arrow; i + arrow < curve.size(); i += stride) {
    const Rectangle place = around(curve[i], width, 11);
    const double off_middle = std::abs(i - middle) / (middle + 1);
    const double cost = obstacles.cost(place, edge) + 10 * off_middle * off_middle;
    if (cost < best_cost) best = place, best_cost = cost;
  }
  return best;
}

}  // namespace

/// Places each label on its curve near the middle, where it covers the least. Short curves come first, since
/// they have the fewest positions.
void place_labels(const Content& content, Layout& layout) {
  const int count = static_cast<int>(content.edges.size());
  Obstacles obstacles{layout};
  std::vector<std::vector<Point>> curves;
  for (int edge = 0; edge < count; ++edge) {
    curves.push_back(points_along(layout.splines[edge], 3));
    for (const Point point : curves.back()) obstacles.curves.add(point, edge);
  }
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int edge) { return curves[edge].size(); });
  layout.labels.assign(count, {});
  for (const int edge : order) {
    const std::string& text = content.edges[edge].label;
    if (text.empty()) continue;
    layout.labels[edge] = best_place(obstacles, curves[edge], edge, text_width(text, TextSize::edge) + 3);
    obstacles.labels.push_back(layout.labels[edge]);
  }
}

}  // namespace ptxmc::drawing
