#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ptxmc {

/// A JSON value as valid UTF-8 without characters that a terminal interprets; bytes that are not UTF-8 become
/// U+FFFD. It is on one line, or indented by `indent` blanks a level.
std::string json_text(const nlohmann::ordered_json&, int indent = -1);

}  // namespace ptxmc
