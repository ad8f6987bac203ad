#include "src/report/json_text.hpp"

#include <nlohmann/json.hpp>

#include "semantics/language/visible_text.hpp"

namespace ptxmc {

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return visible_json(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace ptxmc
