#include "src/cli/model_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "model/cat_model.hpp"
#include "model/embedded_models.hpp"
#include "semantics/diagnostic.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/output.hpp"

namespace ptxmc {

namespace {

std::string name_of(const EmbeddedModel& model) {
  return std::string(model.file_name.substr(0, model.file_name.rfind(".cat")));
}

void list_models() {
  for (const EmbeddedModel& model : embedded_models()) {
    const std::string name = name_of(model);
    print_output("{:<10} {}{}\n", name, cat::load(name).title, name == default_model() ? " (default)" : "");
  }
}

void show_model(const std::string& wanted) {
  std::string names;
  for (const EmbeddedModel& model : embedded_models()) {
    if (wanted == name_of(model) || wanted == model.file_name) return print_output("{}", model.text);
    names += (names.empty() ? "" : ", ") + name_of(model);
  }
  throw InputError(wanted, {}, fmt::format("found no such model, expected one of {}", names));
}

}  // namespace

void define_model_command(CLI::App& command, ExitStatus& status) {
  const auto name = std::make_shared<std::string>();
  command.add_option("name", *name, "the model to show")->type_name("NAME");
  command.callback([name, &status] {
    name->empty() ? list_models() : show_model(*name);
    status = ExitStatus::success;
  });
}

}  // namespace ptxmc
