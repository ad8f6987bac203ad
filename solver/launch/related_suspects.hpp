#pragma once

#include <string>
#include <vector>

#include "solver/encoding/encoding.hpp"
#include "solver/launch/launch_suspects.hpp"

namespace ptxmc {

/// The pairs of a symmetric relation of the model as suspects; empty if the model has no relation of this
/// name.
std::vector<Suspect> related_suspects(const Encoding&, const char* relation);

/// Whether a flag of a model is about races.
bool is_race_flag(const std::string& name);

}  // namespace ptxmc
