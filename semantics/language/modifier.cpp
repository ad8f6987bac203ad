#include "semantics/language/modifier.hpp"

#include <unordered_map>

namespace ptxmc {

std::optional<Modifier> Modifier::find(std::string_view spelling) {
  static const auto by_spelling = [] {
    std::unordered_map<std::string_view, std::uint16_t> map;
    for (std::uint16_t i = 0; i < count; ++i) map.emplace(modifier_spellings[i], i);
    return map;
  }();
  const auto found = by_spelling.find(spelling);
  if (found == by_spelling.end()) return std::nullopt;
  return Modifier(found->second);
}

}  // namespace ptxmc
