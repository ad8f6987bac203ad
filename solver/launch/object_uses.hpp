#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "model/program/execution.hpp"

namespace ptxmc {

/// Whether an interleaving (`is_interleaving`) uses mbarrier objects in a way that the manual leaves
/// undefined: relation `misuse` of ptx-8.7.
struct ObjectUses {
  bool may_be_misused = false;
  /// An `mbarrier.init` and the first operation on its object, where barriers do not order them: if these
  /// pairs are not in the relation, and nothing else `may_be_misused`, the relation is empty.
  std::vector<std::pair<EventId, EventId>> unordered = {};
};

/// An object is used correctly if one `mbarrier.init` or initial write makes it, all other accesses are
/// operations on the whole object, and the first of them follows the init in coherence order. The operations
/// are atomic, so that the others follow the first one in coherence order.
ObjectUses uses_of_objects(const Execution&, std::span<const std::size_t> moments);

}  // namespace ptxmc
