#include "solver/unfolding/unfolding_path.hpp"

#include <algorithm>

namespace ptxmc {

void enter_loops(UnfoldingFrame& frame, Target node, bool is_back_edge) {
  const auto& heads = frame.body->flow.enclosing_heads(node);
  std::size_t common = 0;
  while (common < heads.size() && common < frame.loops.size() && frame.loops[common].head == heads[common])
    ++common;
  frame.loops.resize(common);
  if (is_back_edge) {
    ++frame.loops.back().iteration;
    return;
  }
  for (; common < heads.size(); ++common) {
    frame.loops.emplace_back();
    frame.loops.back().head = heads[common];
  }
}

namespace {

void add_place(const UnfoldingFrame& frame, Target node, UnrolledPlace& place) {
  const ControlFlowGraph& flow = frame.body->flow;
  place.push_back(frame.body->number);
  for (const LoopVisit& loop : frame.loops) {
    place.push_back(flow.position(loop.head));
    place.push_back(loop.iteration);
  }
  place.push_back(flow.position(node));
}

void merge(UnfoldingFrame& into, const Bits& condition, const UnfoldingFrame& other, ReadSets& reads) {
  for (std::size_t i = 0; i < into.registers.size(); ++i) {
    into.registers[i] = ite(condition, into.registers[i], other.registers[i]);
    into.sources[i] = reads.unite(into.sources[i], other.sources[i]);
  }
  for (std::size_t i = 0; i < into.loops.size(); ++i) {
    for (std::size_t k = 0; k < into.loops[i].starts.size(); ++k) {
      Bits& acted = into.loops[i].starts[k].acted;
      acted = acted | other.loops[i].starts[k].acted;
    }
    into.loops[i].open = into.loops[i].open || other.loops[i].open;
    into.loops[i].open_to_reads = into.loops[i].open_to_reads || other.loops[i].open_to_reads;
    into.loops[i].open_iterations = std::max(into.loops[i].open_iterations, other.loops[i].open_iterations);
  }
  into.open_calls = std::max(into.open_calls, other.open_calls);
}

}  // namespace

UnrolledPlace place_of(const Path& path, Target node) {
  UnrolledPlace place;
  for (std::size_t i = 0; i + 1 < path.frames.size(); ++i)
    add_place(path.frames[i], path.frames[i].call, place);
  add_place(path.frame(), node, place);
  return place;
}

namespace {

void merge_counts(Path& into, const Path& other) {
  const Bits none(32, 0);
  for (const auto& [name, count] : other.exchanges) into.exchanges.try_emplace(name, none);
  for (auto& [name, count] : into.exchanges) {
    const auto its = other.exchanges.find(name);
    count = ite(into.condition, count, its == other.exchanges.end() ? none : its->second);
  }
}

/// An operation that only one of the paths has started does not exist on the other.
void merge_operations(Path& into, const Path& other) {
  for (const auto& [strand, its] : other.operations) {
    const auto [mine, is_new] = into.operations.try_emplace(strand, its);
    if (is_new) continue;
    StartedOperation& merged = mine->second;
    merged.is_committed = ite(into.condition, merged.is_committed, its.is_committed);
    merged.later_groups = ite(into.condition, merged.later_groups, its.later_groups);
  }
}

}  // namespace

void merge(Path& into, const Path& other, ReadSets& reads) {
  for (std::size_t i = 0; i < into.frames.size(); ++i)
    merge(into.frames[i], into.condition, other.frames[i], reads);
  into.control = reads.unite(into.control, other.control);
  into.memory.merge(into.condition, other.memory, reads);
  for (const auto& [address, freed] : other.freed) {
    const auto [mine, is_new] = into.freed.try_emplace(address, Bits::boolean(false));
    mine->second = ite(into.condition, mine->second, freed);
  }
  for (auto& [address, freed] : into.freed)
    if (!other.freed.contains(address)) freed = freed & into.condition;
  merge_counts(into, other);
  into.stack = std::max(into.stack, other.stack);
  into.least_cluster_arrivals = std::min(into.least_cluster_arrivals, other.least_cluster_arrivals);
  into.most_cluster_arrivals = std::max(into.most_cluster_arrivals, other.most_cluster_arrivals);
  into.barriers_of_cta = std::max(into.barriers_of_cta, other.barriers_of_cta);
  into.has_arrived_at_cluster =
      ite(into.condition, into.has_arrived_at_cluster, other.has_arrived_at_cluster);
  merge_operations(into, other);
  into.hazards.merge(into.condition, other.hazards);
  into.knows_of_failed_request =
      ite(into.condition, into.knows_of_failed_request, other.knows_of_failed_request);
  into.clock = ite(into.condition, into.clock, other.clock);
  into.timer = ite(into.condition, into.timer, other.timer);
  into.condition = into.condition | other.condition;
}

}  // namespace ptxmc
