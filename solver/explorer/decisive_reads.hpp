#pragma once

#include <cstddef>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/algebra/known_values.hpp"
#include "solver/explorer/read_parts.hpp"

namespace ptxmc {

/// The reads of one atom whose values decide conditions of their threads: whether the thread spins or traps,
/// and whether the write of a read-modify-write happens.
class DecisiveReads {
 public:
  DecisiveReads(const EventStructure&, const ReadParts&, const KnownValues&);

  /// Whether the value of a part decides a condition at all.
  bool decides(std::size_t part) const { return !decided_[part].empty(); }
  /// Whether the value of a part decides one of its conditions, given the known values.
  bool decides_one(std::size_t part, const KnownValues&) const;
  /// Whether the value of a part decides all of its conditions, given the known values.
  bool decides_all(std::size_t part, const KnownValues&) const;
  /// The terms of its conditions that depend on the value of a part.
  const KnownValues::Dependents& dependents(std::size_t part) const { return dependents_[part]; }

 private:
  using Unknowns = std::vector<Bits>;

  /// By part: the conditions that its value may decide, each given by its other unknowns.
  std::vector<std::vector<Unknowns>> decided_;
  std::vector<KnownValues::Dependents> dependents_;  // by part
};

}  // namespace ptxmc
