#include "solver/explorer/interleaving.hpp"

#include <algorithm>

namespace ptxmc {

std::vector<std::size_t> interleaving(const PartialExecution& execution, const BitMatrix& coherence) {
  const std::size_t size = execution.events().size();
  BitMatrix before = coherence | execution.model.inputs.rf;
  for (std::size_t i = 1; i < size; ++i) {  // program order, without implied pairs
    const Event &first = execution.events()[i - 1], &second = execution.events()[i];
    if (first.thread == second.thread && first.strand == second.strand) before.insert(i - 1, i);
  }
  for (const auto& source : execution.model.inputs.sources)
    coherence.for_each_successor(source.write, [&](std::size_t later) {
      if (later != source.read && source.writers->contains(later)) before.insert(source.read, later);
    });
  std::vector<std::size_t> predecessors(size, 0), place(size, size);
  for (std::size_t a = 0; a < size; ++a)
    before.for_each_successor(a, [&](std::size_t b) { ++predecessors[b]; });
  std::vector<std::size_t> order;
  const auto take = [&](std::size_t a) {
    place[a] = order.size();
    order.push_back(a);
  };
  std::size_t first_left = 0;
  for (std::size_t done = 0; order.size() < size;) {
    for (std::size_t a = 0; a < size; ++a)
      if (place[a] == size && predecessors[a] == 0) take(a);
    if (done == order.size()) {  // a cycle: there is no such interleaving
      while (place[first_left] != size) ++first_left;
      take(first_left);
    }
    for (; done < order.size(); ++done)
      before.for_each_successor(order[done], [&](std::size_t b) {
        if (predecessors[b] > 0 && --predecessors[b] == 0 && place[b] == size) take(b);
      });
  }
  return place;
}

}  // namespace ptxmc
