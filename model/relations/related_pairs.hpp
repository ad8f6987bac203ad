#pragma once

#include <functional>
#include <span>

#include "model/relations/base_relations.hpp"

namespace ptxmc {

/// Called with two events and the condition (width 1, not false) under which a relation relates the first to
/// the second if both happen.
using FoundPair = std::function<void(EventId, EventId, const Bits& holds)>;

/// Calls `found` for each two events that a relation may relate, in ascending order; the relation must have
/// BaseRelation::holds. `among`: only for events of which this is true; null: for all events. The pairs that
/// BaseRelation::pairing excludes are not looked at, so this takes less than quadratic time for relations of
/// few events.
void for_each_related(const BaseRelation&, const Program&, std::span<const Event>, const FoundPair& found,
                      bool (*among)(const Event&) = nullptr);

}  // namespace ptxmc
