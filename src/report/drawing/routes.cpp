#include <algorithm>
#include <cmath>
#include <map>

#include "src/report/drawing/layout.hpp"

namespace ptxmc::drawing {

namespace {

constexpr double arc_distance = 14;

/// The number of curves so far beside each column and through each corridor.
struct Load {
  std::map<std::pair<int, Side>, int> beside;
  std::map<int, int> corridor;
};

/// The number of curves between columns that begin or end on this side of a column, in the rows [first,
/// last].
int ends_on_side(const Content& content, const Layout& layout, int column, Side side, int first, int last) {
  const auto ends_here = [&](int node, int other) {
    const int row = layout.row_of[node];
    const bool leaves_left = layout.column_of[other] < column;
    return layout.column_of[node] == column && layout.column_of[other] >= 0 &&
           layout.column_of[other] != column && leaves_left == (side == Side::left) && first <= row &&
           row <= last;
  };
  return static_cast<int>(std::ranges::count_if(content.edges, [&](const Edge& edge) {
    return ends_here(edge.from, edge.to) || ends_here(edge.to, edge.from);
  }));
}

/// The side of a column on which a curve along the rows [first, last] crosses the fewest others; if equal,
/// the outer side of the picture.
Side freer_side(const Content& content, const Layout& layout, const Load& load, int column, int first,
                int last) {
  const auto cost = [&](Side side) {
    const auto found = load.beside.find({column, side});
    const bool outside = column == (side == Side::left ? 0 : static_cast<int>(content.columns.size()) - 1);
    return (found == load.beside.end() ? 0 : found->second) + (outside ? 0 : 0.5) +
           ends_on_side(content, layout, column, side, first, last);
  };
  return cost(Side::left) < cost(Side::right) ? Side::left : Side::right;
}

/// A corridor past the columns strictly between two: the one with the shortest way and the fewest
/// curves; through a row only where these columns have no node in it.
int best_corridor(const Content& content, const Layout& layout, const Edge& edge, const Load& load) {
  const int from = layout.column_of[edge.from], to = layout.column_of[edge.to];
  const double from_row = layout.row_of[edge.from], to_row = layout.row_of[edge.to];
  const auto blocked = [&](int row) {
    for (int column = std::min(from, to) + 1; column < std::max(from, to); ++column)
      for (const int node : content.columns[column])
        if (layout.row_of[node] == row) return true;
    return false;
  };
  const int band = content.nodes[edge.from].band;
  const int lowest = 2 * layout.first_row[band], highest = 2 * layout.first_row[band + 1];
  int best = lowest;
  double best_cost = HUGE_VAL;
  for (int corridor = lowest; corridor <= highest; ++corridor) {
    const bool through_row = corridor % 2 == 1;
    if (through_row && blocked(corridor / 2)) continue;
    const double at = (corridor - 1) / 2.0;
    const auto found = load.corridor.find(corridor);
    const double crowd = found == load.corridor.end() ? 0 : found->second;
    const bool outermost = corridor == lowest || corridor == highest;
    const double cost = std::abs(from_row - at) + std::abs(to_row - at) + crowd * (through_row ? 0.5 : 0.2) +
                        (outermost ? 0.1 : 0);
    if (cost < best_cost) best = corridor, best_cost = cost;
  }
  return best;
}

Route route_of(const Content& content, const Layout& layout, const Edge& edge, Load& load) {
  const int from = layout.column_of[edge.from], to = layout.column_of[edge.to];
  if (from < 0 || to < 0) {
    const int column = std::max(from, to), node = from < 0 ? edge.to : edge.from;
    const bool is_first = column < 0 || content.columns[column].front() == node;
    if (is_first) return {.shape = Route::Shape::from_above, .enters_top = true};
    const Side side = freer_side(content, layout, load, column, layout.first_row[content.nodes[node].band],
                                 layout.row_of[node] - 1);
    ++load.beside[{column, side}];
    return {.shape = Route::Shape::from_above, .from_side = side, .to_side = side};
  }
  const bool between_neighbours = edge.relation == Relation::program_order && edge.label.empty();
  if (between_neighbours) return {};
  if (from == to) {
    const auto [first, last] = std::minmax(layout.row_of[edge.from], layout.row_of[edge.to]);
    const Side side = freer_side(content, layout, load, from, first, last);
    ++load.beside[{from, side}];
    return {.shape = Route::Shape::arc, .from_side = side, .to_side = side};
  }
  if (content.nodes[edge.from].band != content.nodes[edge.to].band) {
    ++load.beside[{from, Side::right}];
    ++load.beside[{to, Side::right}];
    return {.shape = Route::Shape::between_bands, .from_side = Side::right, .to_side = Side::right};
  }
  Route route{.shape = Route::Shape::across};
  if (to < from) std::swap(route.from_side, route.to_side);
  if (std::abs(from - to) > 1) {
    route.corridor = best_corridor(content, layout, edge, load);
    ++load.corridor[route.corridor];
  }
  return route;
}

/// Separates the curves in one corridor; curves from higher rows are above.
void spread_corridors(const Content& content, Layout& layout) {
  std::map<int, std::vector<int>> users;
  for (int edge = 0; edge < static_cast<int>(content.edges.size()); ++edge)
    if (layout.routes[edge].corridor >= 0) users[layout.routes[edge].corridor].push_back(edge);
  for (auto& [corridor, edges] : users) {
    std::ranges::stable_sort(edges, {}, [&](int edge) {
      return layout.row_of[content.edges[edge].from] + layout.row_of[content.edges[edge].to];
    });
    for (std::size_t i = 0; i < edges.size(); ++i)
      layout.routes[edges[i]].offset = (i - (edges.size() - 1) / 2.0) * track_distance;
  }
}

/// Nests the arcs beside a column; a longer arc is outside of the arcs that it passes.
void spread_arcs(const Content& content, Layout& layout) {
  struct Arc {
    int edge, column, first, last;
    Side side;
  };
  std::vector<Arc> arcs;
  for (int i = 0; i < static_cast<int>(content.edges.size()); ++i) {
    const Edge& edge = content.edges[i];
    if (layout.routes[i].shape != Route::Shape::arc) continue;
    const auto [first, last] = std::minmax(layout.row_of[edge.from], layout.row_of[edge.to]);
    arcs.push_back({i, layout.column_of[edge.from], first, last, layout.routes[i].to_side});
  }
  std::ranges::stable_sort(arcs, {}, [](const Arc& arc) { return arc.last - arc.first; });
  for (std::size_t k = 0; k < arcs.size(); ++k) {
    double offset = 12 + 6.0 * std::min(arcs[k].last - arcs[k].first, 4);
    for (std::size_t inner = 0; inner < k; ++inner) {
      const bool beside = arcs[inner].column == arcs[k].column && arcs[inner].side == arcs[k].side;
      if (beside && arcs[inner].first <= arcs[k].last && arcs[k].first <= arcs[inner].last)
        offset = std::max(offset, layout.routes[arcs[inner].edge].offset + arc_distance);
    }
    layout.routes[arcs[k].edge].offset = offset;
  }
}

/// Places the vertical tracks of edges from initial writes and between bands outside of the arcs.
void spread_tracks(const Content& content, Layout& layout) {
  std::map<std::pair<int, Side>, double> used;
  const auto column_and_side = [&](int edge) {
    const Edge& e = content.edges[edge];
    return std::pair(std::max(layout.column_of[e.from], layout.column_of[e.to]), layout.routes[edge].to_side);
  };
  const int count = static_cast<int>(content.edges.size());
  for (int edge = 0; edge < count; ++edge)
    if (layout.routes[edge].shape == Route::Shape::arc) {
      double& most = used[column_and_side(edge)];
      most = std::max(most, layout.routes[edge].offset);
    }
  for (int edge = 0; edge < count; ++edge) {
    Route& route = layout.routes[edge];
    // Every second band starts slightly further out, since columns of two bands may be below each other.
    const auto next = [&](std::pair<int, Side> beside) {
      double& most = used[beside];
      const double shift = content.band_of_column(beside.first) % 2 == 0 ? 0 : track_distance / 2;
      return most = std::max(most + track_distance, 18.0 + shift);
    };
    if (route.shape == Route::Shape::from_above && !route.enters_top)
      route.offset = next(column_and_side(edge));
    if (route.shape != Route::Shape::between_bands) continue;
    route.from_offset = next({layout.column_of[content.edges[edge].from], Side::right});
    route.offset = next({layout.column_of[content.edges[edge].to], Side::right});
  }
}

}  // namespace

void plan_routes(const Content& content, Layout& layout) {
  Load load;
  for (const Edge& edge : content.edges) layout.routes.push_back(route_of(content, layout, edge, load));
  spread_corridors(content, layout);
  spread_arcs(content, layout);
  spread_tracks(content, layout);
}

}  // namespace ptxmc::drawing
