#pragma once

#include <map>
#include <vector>

#include "model/program/event.hpp"

namespace ptxmc {

/// Computes the reads that a term depends on.
class ReadsBehind {
 public:
  ReadsBehind() = default;
  /// The structure must be as unfolded: each read returns a separate unknown.
  explicit ReadsBehind(const EventStructure&);

  std::vector<EventId> operator()(const Bits& term) const;

 private:
  std::map<VariableId, EventId> read_of_;
};

}  // namespace ptxmc
