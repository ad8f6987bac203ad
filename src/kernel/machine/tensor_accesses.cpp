#include "src/kernel/machine/tensor_accesses.hpp"

namespace ptxmc::kernel {

TensorAccesses::Operation TensorAccesses::start(int warp, AsyncGroup group) {
  Warp& own = warps_[warp];
  return {warp, group, ++own.started[index(group)], own.fence_time};
}

void TensorAccesses::wait(int warp, AsyncGroup group) {
  Warp& own = warps_[warp];
  own.waited[index(group)] = own.started[index(group)];
}

void TensorAccesses::fence(int warp, bool is_before, std::uint64_t time) {
  Warp& own = warps_[warp];
  if (!is_before) {
    own.fence_time = time;
    return;
  }
  for (const AsyncGroup group : {AsyncGroup::tensor_load, AsyncGroup::tensor_store})
    own.published[index(group)].try_emplace(own.waited[index(group)], time);
  own.pipelined.try_emplace(own.started[index(AsyncGroup::tensor_operation)], time);
}

void TensorAccesses::complete(int warp, std::uint64_t number, std::uint64_t time) {
  warps_[warp].published[index(AsyncGroup::tensor_operation)].try_emplace(number, time);
}

bool TensorAccesses::follows(const Operation& later, const Operation& earlier) {
  const Warp& its = warps_[earlier.warp];
  const bool is_pipelined =
      later.group == AsyncGroup::tensor_operation && earlier.group == AsyncGroup::tensor_operation;
  if (later.warp == earlier.warp) {
    if (is_pipelined) return true;
    if (earlier.group != AsyncGroup::tensor_operation)
      return its.waited[index(earlier.group)] >= earlier.number;
  }
  const auto is_seen = [&](const Publications& published) {
    const auto found = published.lower_bound(earlier.number);
    return found != published.end() && found->second < later.fence_time;
  };
  return is_seen(its.published[index(earlier.group)]) || (is_pipelined && is_seen(its.pipelined));
}

bool TensorAccesses::is_in_use(std::uint64_t number) {
  const auto found = cells_.find(number);
  if (found == cells_.end()) return false;
  const auto is_open = [&](const Operation& operation) {
    if (operation.warp < 0) return false;
    const Warp& its = warps_[operation.warp];
    const std::size_t group = index(operation.group);
    const Publications& published = its.published[group];
    return its.waited[group] < operation.number && published.lower_bound(operation.number) == published.end();
  };
  const Cell& cell = found->second;
  return is_open(cell.write) || is_open(cell.load) || is_open(cell.read);
}

std::optional<TensorAccesses::Operation> TensorAccesses::access(std::uint64_t number, const Operation& own,
                                                                bool writes) {
  Cell& cell = cells_[number];
  const auto is_same = [&](const Operation& other) {
    return other.warp == own.warp && other.group == own.group && other.number == own.number;
  };
  const auto is_unordered = [&](const Operation& earlier) {
    return earlier.warp >= 0 && !is_same(earlier) && !follows(own, earlier);
  };
  if (is_unordered(cell.write)) return cell.write;
  if (writes && is_unordered(cell.load)) return cell.load;
  if (writes && is_unordered(cell.read)) return cell.read;
  (writes ? cell.write : own.group == AsyncGroup::tensor_load ? cell.load : cell.read) = own;
  return std::nullopt;
}

}  // namespace ptxmc::kernel
