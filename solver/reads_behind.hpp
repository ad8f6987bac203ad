#pragma once

#include <map>
#include <vector>

#include "model/event.hpp"

namespace ptxmc {

/// The reads whose values a term is made of.
class ReadsBehind {
 public:
  ReadsBehind() = default;
  /// Of events as they were unfolded: what a read returns is an unknown of its own.
  explicit ReadsBehind(const EventStructure&);

  std::vector<EventId> operator()(const Bits& term) const;

 private:
  std::map<VariableId, EventId> read_of_;
};

}  // namespace ptxmc
