#pragma once

#include <string>
#include <vector>

#include "src/report/drawing/content.hpp"

namespace ptxmc::drawing {

/// In points; y grows downwards.
struct Point {
  double x = 0;
  double y = 0;
};

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;

  Point center() const { return {(left + right) / 2, (top + bottom) / 2}; }
  double width() const { return right - left; }
  double height() const { return bottom - top; }
};

/// Cubic Bézier curves that join: 3n + 1 points.
using Spline = std::vector<Point>;

struct TextSize {
  static constexpr double instruction = 11, value = 9, edge = 9, heading = 12, box = 10, title = 14;
};

/// The width of a text in a fixed-width font of this size.
double text_width(const std::string& text, double font_size);

/// The width of a thread's name above its column.
double heading_width(const Content&, int column);

constexpr double track_distance = 10;  ///< between routes side by side

enum class Side { left, right };

/// The route of an edge, before coordinates are known.
struct Route {
  enum class Shape {
    straight,      ///< program order between neighbours
    arc,           ///< within a column, beside it
    across,        ///< between columns
    from_above,    ///< from an initial write
    between_bands  ///< through lanes between the bands, and beside all columns if other bands are in between
  };
  Shape shape = Shape::straight;
  Side from_side = Side::right;
  Side to_side = Side::left;
  /// across: the corridor (2 * row + 1 through a row, 2 * row above it) that passes the columns in between;
  /// -1 for neighbours.
  int corridor = -1;
  bool enters_top = false;  ///< from_above: into the first node of a column, from above
  /// arc: its width; across: the track of the corridor; from_above: the distance of the vertical track from
  /// the column; between_bands: the distance of the track beside the column at the end of the edge.
  double offset = 0;
  /// Between_bands: distance of the track beside the column at the start of the edge.
  double from_offset = 0;
  double first_lane = 0, last_lane = 0;  ///< between_bands: y, from `place` on
  double margin = 0;                     ///< between_bands: x of the track beside other bands; 0: none
};

/// A box for a CTA, a cluster or a GPU.
struct Box {
  std::string label;
  std::string name;  ///< of the subgraph: "gpu0_cta1"
  int depth = 0;     ///< 0: GPU
  int first_column = 0, last_column = 0;
  Rectangle where;
};

struct Layout {
  std::vector<int> column_of, row_of;  ///< by node; -1 for initial writes
  int row_count = 0;
  std::vector<int> first_row;  ///< by band; the last element is the number of all rows
  std::vector<Route> routes;   ///< by edge
  std::vector<Rectangle> nodes;
  std::vector<Rectangle> columns;  ///< from the thread's name to the last row of the band
  std::vector<Box> boxes;          ///< outer ones first
  std::vector<double> corridors;   ///< y of their middles: 2 * row_count + 1
  std::vector<Spline> splines;     ///< by edge
  std::vector<Rectangle> labels;   ///< by edge; empty where the edge has none
  double width = 0, height = 0;
};

/// Computes the coordinates of columns, rows, boxes, curves and labels.
Layout layout_of(const Content&);

// The steps of layout_of, in order.

/// The number of gaps between bands that an edge passes, and the first of them: gap 1 is below band 0.
struct BandGaps {
  int first = 0, last = 0;
};
BandGaps gaps_of(const Content&, const Edge&);

/// Assigns rows: program order goes downwards, and events of one barrier phase in a band are in one row.
void assign_rows(const Content&, Layout&);
void plan_routes(const Content&, Layout&);
void place(const Content&, Layout&);
void draw_splines(const Content&, Layout&);
void place_labels(const Content&, Layout&);

}  // namespace ptxmc::drawing
