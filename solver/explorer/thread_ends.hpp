#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/algebra/known_values.hpp"

namespace ptxmc {

/// How the threads of a partial execution have ended, as far as known.
class ThreadEnds {
 public:
  /// The structure must outlive it.
  explicit ThreadEnds(const EventStructure&);

  using Kinds = std::vector<std::optional<Ending::Kind>>;  ///< by thread
  const Kinds& kinds() const { return kinds_; }
  std::optional<Ending::Kind> operator[](std::size_t thread) const { return kinds_[thread]; }
  /// The ending whose condition the known values make true.
  const Ending* find(std::size_t thread, const KnownValues&) const;
  void set(std::size_t thread, Ending::Kind);
  void reset(std::size_t thread);

  bool all_known() const;
  bool all_completed() const;
  /// Some thread spins or waits for ever.
  bool is_some_held_up() const { return held_up_ > 0; }
  /// Some thread needs more iterations than the bound.
  bool is_some_cut_off() const;
  /// Some thread needs more iterations than the bound, and the others cannot continue.
  bool is_cut_off() const;
  /// Some thread may still need more iterations than the bound.
  bool may_be_cut_off(const KnownValues&) const;

  /// By thread, the undefined use with which it has ended. Its terms have known values.
  std::map<int, ObjectUse> undefined_uses(const KnownValues&) const;

 private:
  const EventStructure& structure_;
  Kinds kinds_;
  std::size_t held_up_ = 0;  // threads that spin or wait
};

}  // namespace ptxmc
