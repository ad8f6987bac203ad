#pragma once

#include <string>

#include "solver/decide.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// The answer as one JSON object on one line, without the line's end. The keys and their order are
/// stable across versions (docs/users-guide.md): file, name, model, engine, quantifier, condition,
/// verdict, holds, states, executions, reason, time_s.
std::string litmus_json(const LitmusTest&, const Answer&, const std::string& model,
                        const std::string& engine);

}  // namespace ptxmc
