#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace ptxmc {

/// The value as JSON, or null without one.
template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace ptxmc
