#pragma once

#include <string>

#include "solver/engine/engine.hpp"
#include "solver/launch/launch_question.hpp"
#include "src/library/litmus_fences.hpp"
#include "src/library/public.hpp"
#include "src/litmus/property.hpp"

namespace ptxmc {

// The values of enumerations of the public header as those of this project, and back.

Engine to_internal(v1::Engine);
LitmusProperty to_internal(v1::LitmusProperty);
LaunchProperty to_internal(v1::LaunchProperty);
Progress to_internal(v1::Scheduling);
RaceClause to_internal(v1::FenceOptions::Races);
WhatToTry to_internal(v1::FenceOptions::Trials);

/// The engine that `--engine` names: "auto", "explorer", "smt", "both".
v1::Engine engine_named(const std::string&);

v1::Engine to_public(Engine);
v1::LitmusProperty to_public(LitmusProperty);
v1::LaunchProperty to_public(LaunchProperty);
v1::Verdict to_public(Verdict);
v1::FenceOptions::Races to_public(RaceClause);
v1::FenceOptions::Trials to_public(WhatToTry);

}  // namespace ptxmc
