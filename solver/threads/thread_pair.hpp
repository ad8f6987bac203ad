#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "solver/threads/open_thread.hpp"

namespace ptxmc {

/// How the positions of two threads are related.
enum class Neighbours : std::uint8_t {
  in_warp,       ///< different threads of one warp
  across_warps,  ///< threads of different warps of one CTA
  in_cta,        ///< different threads of one CTA
  across_ctas,   ///< threads of different CTAs
};

/// Two threads of a launch: the open thread, and another one that does the same with unknowns of its own.
class ThreadPair {
 public:
  ThreadPair(const OpenThread&, Neighbours, TermGraph&);

  const OpenThread& thread() const { return thread_; }
  Neighbours relation() const { return relation_; }
  /// The value of the other thread that corresponds to a value of the open thread.
  Bits other(const Bits& value) { return substitution_.apply(value); }
  /// The condition that the launch has two such threads, width 1.
  const Bits& exists() const { return exists_; }

 private:
  const OpenThread& thread_;
  const Neighbours relation_;
  Substitution substitution_;
  Bits exists_;
};

/// The barriers that order accesses of two threads: both execute a barrier that is between the accesses.
class BarriersBetween {
 public:
  /// The barriers that threads with this relation share.
  BarriersBetween(const OpenThread&, Neighbours);

  /// Whether a barrier that every thread executes lies between these steps.
  bool is_certain(unsigned first, unsigned second) const;
  /// Calls `use` with the condition (width 1) of each barrier between these steps.
  void for_each_between(unsigned first, unsigned second, const std::function<void(const Bits&)>& use) const;

 private:
  std::vector<std::pair<unsigned, Bits>> barriers_;  // step and condition
  std::vector<unsigned> certain_;                    // the steps of those that every thread executes
};

}  // namespace ptxmc
