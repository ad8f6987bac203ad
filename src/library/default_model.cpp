#include "src/library/default_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/cat/embedded_models.hpp"
#include "semantics/language/diagnostic.hpp"

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

v1::Model chosen_model(const v1::Options& options, Language language) {
  return options.model ? *options.model : v1::Model(default_model(language));
}

void require_model_for(const LitmusTest& test, const cat::Model& model) {
  if (test.language == Language::cpp && model.is_ptx)
    throw InputError(
        test.file, {},
        fmt::format("found a test of C++ under {}, expected a model of C++ such as cpp-scoped", model.name));
}

}  // namespace ptxmc
