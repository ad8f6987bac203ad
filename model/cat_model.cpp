#include "model/cat_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "model/cat_analysis.hpp"
#include "model/cat_syntax.hpp"
#include "model/embedded_models.hpp"
#include "semantics/spelling.hpp"

namespace fs = std::filesystem;

namespace ptxmc::cat {

namespace {

/// Reads a model's files and puts the statements of included files in the place of the includes.
class Reader {
 public:
  explicit Reader(const IncludeResolver& resolve) : resolve_(resolve) {}

  syntax::File read(std::string text, const std::string& file) {
    constexpr std::size_t most = 100;
    if (files_.size() == most)
      throw InputError(file, {1, 1}, fmt::format("more than {} files are included", most));
    files_.push_back(file);
    const SourceText source(file, std::move(text));
    syntax::File result = syntax::read(source, static_cast<std::uint32_t>(files_.size() - 1));
    std::vector<syntax::Statement> statements;
    for (syntax::Statement& statement : result.statements)
      if (statement.form == syntax::Statement::Form::include)
        append(statements, included(statement, file).statements);
      else
        statements.push_back(std::move(statement));
    result.statements = std::move(statements);
    return result;
  }

  std::vector<std::string> files() { return std::move(files_); }

 private:
  static void append(std::vector<syntax::Statement>& to, std::vector<syntax::Statement> more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
  }

  syntax::File included(const syntax::Statement& include, const std::string& file) {
    const std::string& name = include.text;
    if (!including_.insert(name).second)
      throw InputError(file, include.place.where, fmt::format("'{}' includes itself", name));
    std::optional<std::string> text = resolve_(name, file);
    if (!text) throw InputError(file, include.place.where, fmt::format("no file '{}' to include", name));
    syntax::File result = read(std::move(*text), name);
    including_.erase(name);
    return result;
  }

  const IncludeResolver& resolve_;
  std::vector<std::string> files_;
  std::set<std::string> including_;
};

std::string contents(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) throw InputError(path, {}, "found a directory, expected a cat model");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad()) throw InputError(path, {}, "the file cannot be read");
  return std::move(text).str();
}

/// An embedded model, with or without `.cat`.
const EmbeddedModel* find_embedded(const std::string& name) {
  const auto models = embedded_models();
  const auto found = std::find_if(models.begin(), models.end(), [&](const EmbeddedModel& model) {
    return model.file_name == name || model.file_name == name + ".cat";
  });
  return found == models.end() ? nullptr : &*found;
}

/// Files of herd's library whose names are predefined here.
std::optional<std::string> find_predefined(const std::string& name) {
  if (name == "stdlib.cat" || name == "cross.cat") return "";
  if (name == "cos.cat") return "let co = total_coherence";
  return std::nullopt;
}

std::optional<std::string> find_included(const std::string& name, const std::string& from) {
  const fs::path beside = fs::path(from).parent_path() / name;
  std::error_code error;
  if (fs::is_regular_file(beside, error)) return contents(beside.string());
  if (const EmbeddedModel* embedded = find_embedded(name)) return std::string(embedded->text);
  return find_predefined(name);
}

}  // namespace

const Definition* Model::find(std::string_view name) const {
  const auto found = std::find_if(definitions.rbegin(), definitions.rend(),
                                  [&](const Definition& definition) { return definition.name == name; });
  return found == definitions.rend() ? nullptr : &*found;
}

Model parse(std::string text, const std::string& file_name, const IncludeResolver& resolve) {
  Reader reader(resolve);
  const syntax::File file = reader.read(std::move(text), file_name);
  Model model;
  model.name = fs::path(file_name).stem().string();
  model.title = file.title;
  model.is_ptx = file.architecture == "PTX";
  model.files = reader.files();
  return analyse(std::move(model), file.statements);
}

Model load(const std::string& name_or_path) {
  std::error_code error;
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       (name_or_path.ends_with(".cat") && fs::exists(name_or_path, error));
  const EmbeddedModel* embedded = is_path ? nullptr : find_embedded(name_or_path);
  if (embedded) return parse(std::string(embedded->text), std::string(embedded->file_name), find_included);
  if (is_path || fs::exists(name_or_path, error))
    return parse(contents(name_or_path), name_or_path, find_included);
  std::vector<std::string> names;
  for (const EmbeddedModel& model : embedded_models())
    names.push_back(fs::path(std::string(model.file_name)).stem().string());
  throw InputError(name_or_path, {},
                   fmt::format("found no such file, expected a file or one of the models {}{}",
                               fmt::join(names, ", "), did_you_mean(name_or_path, names)));
}

}  // namespace ptxmc::cat
