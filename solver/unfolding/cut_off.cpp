#include "solver/unfolding/cut_off.hpp"

#include <set>

namespace ptxmc {

std::string cut_off_reason(const EventStructure& structure, unsigned bound) {
  const std::string loop = "loop bound " + std::to_string(bound);
  std::set<std::string> reasons;
  for (const auto& endings : structure.endings)
    for (const Ending& ending : endings)
      if (ending.kind == Ending::Kind::bound_reached && !ending.condition.is_false())
        reasons.insert(ending.message.empty() ? loop : ending.message);
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : ", ") + reason;
  return text.empty() ? loop : text;
}

}  // namespace ptxmc
