#include "model/cat/checked_model.hpp"

#include <algorithm>

namespace ptxmc::cat {

const Definition* Model::find(std::string_view name) const {
  const auto found = std::find_if(definitions.rbegin(), definitions.rend(),
                                  [&](const Definition& definition) { return definition.name == name; });
  return found == definitions.rend() ? nullptr : &*found;
}

}  // namespace ptxmc::cat
