#include "solver/algebra/strongly_connected.hpp"

#include <algorithm>

namespace ptxmc {

namespace {

/// R. Tarjan, Depth-first search and linear graph algorithms, 1972, with an explicit stack.
struct StronglyConnected {
  const SymbolicRelation& relation;
  std::vector<int> component = std::vector<int>(relation.event_count(), -1);
  std::vector<int> number = std::vector<int>(relation.event_count(), -1);
  std::vector<int> lowest = std::vector<int>(relation.event_count(), 0);
  std::vector<EventId> stack = {};
  int counter = 0;
  int components = 0;

  struct Visit {
    EventId event;
    std::size_t next;
  };

  void visit(EventId root) {
    std::vector<Visit> visits{open(root)};
    while (!visits.empty()) {
      auto& [event, next] = visits.back();
      const auto& row = relation.rows[event];
      if (next < row.size()) {
        const EventId to = row[next++].to;
        if (number[to] < 0)
          visits.push_back(open(to));
        else if (component[to] < 0)
          lowest[event] = std::min(lowest[event], number[to]);
        continue;
      }
      const EventId done = event;
      if (lowest[done] == number[done]) close(done);
      visits.pop_back();
      if (!visits.empty()) lowest[visits.back().event] = std::min(lowest[visits.back().event], lowest[done]);
    }
  }

  Visit open(EventId event) {
    number[event] = lowest[event] = counter++;
    stack.push_back(event);
    return {event, 0};
  }

  void close(EventId head) {
    for (EventId event = -1; event != head;) {
      event = stack.back();
      stack.pop_back();
      component[event] = components;
    }
    ++components;
  }
};

}  // namespace

std::vector<int> components(const SymbolicRelation& relation) {
  StronglyConnected search{relation};
  for (std::size_t event = 0; event < relation.rows.size(); ++event)
    if (search.number[event] < 0) search.visit(static_cast<EventId>(event));
  return search.component;
}

}  // namespace ptxmc
