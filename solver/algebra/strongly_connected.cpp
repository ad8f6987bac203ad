#include "solver/algebra/strongly_connected.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

/// R. Tarjan, Depth-first search and linear graph algorithms, 1972, with an explicit stack.
struct StronglyConnected {
  const std::vector<std::vector<int>>& successors;
  std::vector<int> component = std::vector<int>(successors.size(), -1);
  std::vector<int> number = std::vector<int>(successors.size(), -1);
  std::vector<int> lowest = std::vector<int>(successors.size(), 0);
  std::vector<int> stack = {};
  int counter = 0;
  int components = 0;

  struct Visit {
    int node;
    std::size_t next;
  };

  void visit(int root) {
    std::vector<Visit> visits{open(root)};
    while (!visits.empty()) {
      auto& [node, next] = visits.back();
      const auto& row = successors[static_cast<std::size_t>(node)];
      if (next < row.size()) {
        const int to = row[next++];
        if (number[to] < 0)
          visits.push_back(open(to));
        else if (component[to] < 0)
          lowest[node] = std::min(lowest[node], number[to]);
        continue;
      }
      const int done = node;
      if (lowest[done] == number[done]) close(done);
      visits.pop_back();
      if (!visits.empty()) lowest[visits.back().node] = std::min(lowest[visits.back().node], lowest[done]);
    }
  }

  Visit open(int node) {
    number[node] = lowest[node] = counter++;
    stack.push_back(node);
    return {node, 0};
  }

  void close(int head) {
    for (int node = -1; node != head;) {
      node = stack.back();
      stack.pop_back();
      component[node] = components;
    }
    ++components;
  }
};

}  // namespace

std::vector<int> strong_components(const std::vector<std::vector<int>>& successors) {
  StronglyConnected search{successors};
  for (std::size_t node = 0; node < successors.size(); ++node)
    if (search.number[node] < 0) search.visit(static_cast<int>(node));
  return search.component;
}

}  // namespace ptxmc
