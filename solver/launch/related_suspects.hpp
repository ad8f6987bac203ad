#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/encoding/encoding.hpp"
#include "solver/launch/launch_suspects.hpp"

namespace ptxmc {

/// The suspect for a pair of a relation: PropertyDefinition::of_pair.
using PairSuspect = std::optional<Suspect> (*)(const EventStructure&, EventId, EventId);
/// The suspect for a pair of a symmetric relation.
std::optional<Suspect> unordered_pair(const EventStructure&, EventId, EventId);

/// The pairs of a relation of the model as suspects; empty if the model has no relation of this name.
std::vector<Suspect> related_suspects(const Encoding&, const char* relation, PairSuspect);

/// Whether a flag of a model is about races.
bool is_race_flag(const std::string& name);

}  // namespace ptxmc
