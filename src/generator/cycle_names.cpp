#include "src/generator/cycle_names.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "src/generator/cycle_events.hpp"

namespace ptxmc::generator {

namespace {

using Kind = Edge::Kind;

/// Families of tests. Sarkar, Sewell, Alglave, Maranget, Williams: "Understanding POWER Multiprocessors"
/// (PLDI 2011) and the tutorial to it name these.
constexpr std::pair<std::string_view, std::string_view> families[] = {
    {"MP", "PodWW Rfe PodRR Fre"},
    {"SB", "PodWR Fre PodWR Fre"},
    {"LB", "PodRW Rfe PodRW Rfe"},
    {"R", "PodWW Coe PodWR Fre"},
    {"S", "PodWW Rfe PodRW Coe"},
    {"2+2W", "PodWW Coe PodWW Coe"},
    {"WRC", "Rfe PodRW Rfe PodRR Fre"},
    {"RWC", "Rfe PodRR Fre PodWR Fre"},
    {"WWC", "Rfe PodRW Rfe PodRW Coe"},
    {"WRW+WR", "Rfe PodRW Coe PodWR Fre"},
    {"WRR+2W", "Rfe PodRR Fre PodWW Coe"},
    {"WRW+2W", "Rfe PodRW Coe PodWW Coe"},
    {"IRIW", "Rfe PodRR Fre Rfe PodRR Fre"},
    {"IRRWIW", "Rfe PodRR Fre Rfe PodRW Coe"},
    {"IRWIW", "Rfe PodRW Coe Rfe PodRW Coe"},
    {"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre"},
    {"W+RWC", "PodWW Rfe PodRR Fre PodWR Fre"},
    {"3.SB", "PodWR Fre PodWR Fre PodWR Fre"},
    {"3.LB", "PodRW Rfe PodRW Rfe PodRW Rfe"},
    {"3.2W", "PodWW Coe PodWW Coe PodWW Coe"},
    {"Z6.0", "PodWW Rfe PodRW Coe PodWR Fre"},
    {"Z6.1", "PodWW Coe PodWW Rfe PodRW Coe"},
    {"Z6.2", "PodWW Rfe PodRW Rfe PodRW Coe"},
    {"Z6.3", "PodWW Coe PodWW Rfe PodRR Fre"},
    {"Z6.4", "PodWW Coe PodWR Fre PodWR Fre"},
    {"Z6.5", "PodWW Coe PodWW Coe PodWR Fre"},
    {"CoRR", "Rfe PosRR Fre"},
    {"CoWW", "PosWW Coi"},
    {"CoRW1", "PosRW Rfi"},
    {"CoRW2", "Rfe PosRW Coe"},
    {"CoWR0", "PosWR Fri"},
    {"CoWR", "PosWR Fre Coe"},
};

/// An edge with everything left out but program order and communication.
Edge bare(Edge edge) {
  if (is_communication(edge) || edge.kind == Kind::read_modify_write) return edge;
  edge.kind = Kind::program_order;
  edge.fence.clear();
  return edge;
}

Cycle skeleton_of(const Cycle& cycle) {
  Cycle result;
  for (const Step& step : cycle) result.push_back({{}, bare(step.edge)});
  return result;
}

/// The family of a cycle, and by how many steps it must be rotated to begin as the family does.
struct Family {
  std::string name;
  std::size_t turn;
};

std::optional<Family> find_family(const Cycle& cycle) {
  static const std::vector<std::pair<std::string_view, Cycle>> table = [] {
    std::vector<std::pair<std::string_view, Cycle>> cycles;
    for (const auto& [name, edges] : families) cycles.emplace_back(name, parse_cycle(edges));
    return cycles;
  }();
  Cycle skeleton = skeleton_of(cycle);
  for (std::size_t turn = 0; turn < cycle.size(); ++turn) {
    for (const auto& [name, edges] : table)
      if (edges == skeleton) return Family{std::string(name), turn};
    std::rotate(skeleton.begin(), skeleton.begin() + 1, skeleton.end());
  }
  return std::nullopt;
}

std::string directions_of(const Cycle& cycle) {
  const Cycle skeleton = skeleton_of(cycle);
  std::string directions;
  for (const Step& step : skeleton) {
    directions += step.edge.from == Direction::read ? 'R' : 'W';
    if (step.edge.is_external) directions += '+';
  }
  if (directions.ends_with('+')) directions.pop_back();
  return directions;
}

std::string with_dots(std::string words) {
  std::ranges::replace(words, ' ', '.');
  return words;
}

/// What an edge of a thread is named by: "fence.sc.gpu", "addr"; empty for plain program order, and for
/// communication, which families with a name have anyway.
std::string name_inside(const Edge& edge, bool is_of_a_family) {
  switch (edge.kind) {
    case Kind::address:
      return "addr";
    case Kind::data:
      return "data";
    case Kind::control:
      return "ctrl";
    case Kind::fence:
      return edge.fence;
    case Kind::read_modify_write:
      return "rmw";
    case Kind::program_order:
      return "";
    default:
      return edge.is_external || is_of_a_family ? "" : name_of(edge);
  }
}

}  // namespace

Cycle in_usual_order(const Cycle& cycle) {
  const auto family = find_family(cycle);
  if (!family) return from_first_access(cycle);
  Cycle result = cycle;
  std::rotate(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(family->turn), result.end());
  return result;
}

std::string name_of(const CycleTest& test) {
  const auto family = find_family(test.cycle);
  std::string name = family ? family->name : directions_of(test.cycle);
  std::string thread;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) thread += (thread.empty() ? "" : "-") + part;
  };
  for (const auto& [access, edge] : test.cycle) {
    const bool is_default = access == Access{} || access == Access{.order = "weak"};
    if (!is_default) add(with_dots(name_of(access)));
    add(name_inside(edge, family.has_value()));
    if (!edge.is_external) continue;
    if (!thread.empty()) name += "+" + std::exchange(thread, "");
  }
  if (!thread.empty()) name += "+" + thread;
  const std::string places = name_of(test.places);
  if (test.places.size() > 1 && places != "gpu") name += "@" + places;
  return name;
}

}  // namespace ptxmc::generator
