#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "semantics/language/effects.hpp"

namespace ptxmc::kernel {

/// The order of the asynchronous accesses to the tensor memory of a cluster: PTX ISA 8.7 § 9.7.16.5.
///
/// An operation of one thread follows one of another thread if that thread has waited for it or has committed
/// it, and if then a `fence::before_thread_sync` (which a commit implies) and a `fence::after_thread_sync` of
/// the two threads are executed one after the other. Whether the threads synchronize in between is not looked
/// at: `run` executes one interleaving.
class TensorAccesses {
 public:
  /// An asynchronous operation: loads, stores, and others are counted by themselves for each thread.
  struct Operation {
    int warp = -1;  ///< in the cluster
    AsyncGroup group = AsyncGroup::none;
    std::uint64_t number = 0;      ///< among those of the warp, from 1
    std::uint64_t fence_time = 0;  ///< of the last fence::after_thread_sync of the warp before its start
  };

  /// A thread of the warp starts an operation.
  Operation start(int warp, AsyncGroup);
  /// `tcgen05.wait`: the operations of the group are complete.
  void wait(int warp, AsyncGroup);
  /// `tcgen05.fence`. Times increase.
  void fence(int warp, bool is_before, std::uint64_t time);
  /// The number of the last operation that a `tcgen05.commit` of the warp tracks, and their completion.
  std::uint64_t committed_by(int warp) { return warps_[warp].started[index(AsyncGroup::tensor_operation)]; }
  void complete(int warp, std::uint64_t number, std::uint64_t time);

  /// Accesses a cell. Returns the earlier operation that this one should follow, but does not.
  std::optional<Operation> access(std::uint64_t cell, const Operation&, bool writes);
  /// Whether an operation that has accessed the cell may not be complete yet: no wait or commit of its warp
  /// has waited for it.
  bool is_in_use(std::uint64_t cell);

 private:
  /// At which time operations up to a number can be seen behind a fence of another warp.
  using Publications = std::map<std::uint64_t, std::uint64_t>;

  struct Warp {
    std::array<std::uint64_t, 3> started{}, waited{};
    std::array<Publications, 3> published;
    Publications pipelined;  ///< for later operations that are performed in order with these
    std::uint64_t fence_time = 0;
  };
  struct Cell {
    Operation write, load, read;  ///< the last; `read`: by an operation that is no load
  };

  static std::size_t index(AsyncGroup group) {
    return static_cast<std::size_t>(group) - static_cast<std::size_t>(AsyncGroup::tensor_load);
  }
  bool follows(const Operation& later, const Operation& earlier);

  std::map<int, Warp> warps_;
  std::map<std::uint64_t, Cell> cells_;
};

}  // namespace ptxmc::kernel
