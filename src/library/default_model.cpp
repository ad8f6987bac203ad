#include "src/library/default_model.hpp"

#include <algorithm>

#include "model/cat/embedded_models.hpp"

namespace ptxmc {

std::string default_model(Language language) {
  if (language == Language::cpp) return "cpp-scoped";
  std::string newest;
  for (const EmbeddedModel& model : embedded_models()) {
    const std::string name(model.file_name.substr(0, model.file_name.rfind(".cat")));
    if (name.starts_with("ptx-")) newest = std::max(newest, name);
  }
  return newest;
}

}  // namespace ptxmc
