#include "src/cli/model_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "model/cat/cat_model.hpp"
#include "model/cat/embedded_models.hpp"
#include "model/relations/base_relations.hpp"
#include "model/relations/base_sets.hpp"
#include "semantics/language/diagnostic.hpp"
#include "src/cli/output.hpp"
#include "src/library/default_model.hpp"

namespace ptxmc {

namespace {

std::string model_name(const EmbeddedModel& model) {
  return std::string(model.file_name.substr(0, model.file_name.rfind(".cat")));
}

void list_models() {
  for (const EmbeddedModel& model : embedded_models()) {
    const std::string name = model_name(model);
    print_output("{:<13} {}{}\n", name, cat::load(name).title, name == default_model() ? " (default)" : "");
  }
}

void show_model(const std::string& wanted) {
  std::string names;
  for (const EmbeddedModel& model : embedded_models()) {
    if (wanted == model_name(model) || wanted == model.file_name) return print_output("{}", model.text);
    names += (names.empty() ? "" : ", ") + model_name(model);
  }
  throw InputError(wanted, {}, fmt::format("found no such model, expected one of {}", names));
}

/// A name and its sentence, wrapped to the width of the line.
std::string entry_text(std::string_view name, std::string_view sentence) {
  constexpr std::size_t indent = 18, width = 100;
  std::string text = fmt::format("  {:<{}} ", name, indent - 3);
  std::size_t used = std::max(indent, text.size());
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    if (used + (end - at) > width) {
      text += fmt::format("\n{:{}}", "", indent);
      used = indent;
    }
    text += fmt::format("{} ", sentence.substr(at, end - at));
    used += end - at + 1;
    at = end + 1;
  }
  text.pop_back();
  return text + "\n";
}

/// Lists the predefined names.
void list_names() {
  std::string text = "sets\n";
  for (const BaseSet& set : base_sets()) text += entry_text(set.name, set.meaning);
  text += "\nrelations\n";
  for (const BaseRelation& relation : base_relations()) text += entry_text(relation.name, relation.meaning);
  text += "\ndefined from these\n";
  for (const DerivedName& derived : derived_names()) {
    text += entry_text(derived.name, derived.meaning);
    text += entry_text("", fmt::format("`{}`", derived.definition));
  }
  print_output("{}", text);
}

}  // namespace

void define_model_command(CLI::App& command, ExitStatus& status) {
  const auto name = std::make_shared<std::string>();
  const auto names = std::make_shared<bool>(false);
  command.add_option("name", *name, "the model to show")->type_name("NAME");
  command.add_flag("--names", *names, "the sets and relations that a model may use, with their meaning");
  command.callback([name, names, &status] {
    if (*names)
      list_names();
    else
      name->empty() ? list_models() : show_model(*name);
    status = ExitStatus::success;
  });
}

}  // namespace ptxmc
