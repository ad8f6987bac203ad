#include "model/cat/cat_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>

#include "model/cat/cat_analysis.hpp"
#include "model/cat/cat_headings.hpp"
#include "model/cat/cat_syntax.hpp"
#include "model/cat/embedded_models.hpp"
#include "semantics/language/spelling.hpp"
#include "semantics/language/text_file.hpp"

namespace fs = std::filesystem;

namespace ptxmc::cat {

namespace {

/// Reads the files of a model and replaces each include by the statements of the included file.
class Reader {
 public:
  explicit Reader(const IncludeResolver& resolve) : resolve_(resolve) {}

  syntax::File read(Source from) {
    constexpr std::size_t most = 100;
    if (files_.size() == most)
      throw InputError(from.file, {1, 1}, fmt::format("more than {} files are included", most));
    files_.push_back(from.file);
    including_.push_back(from.file);
    const SourceText source(std::move(from.file), std::move(from.text));
    const auto file = static_cast<std::uint32_t>(files_.size() - 1);
    for (Heading& heading : headings_of(source, file)) headings_.push_back(std::move(heading));
    syntax::File result = syntax::read(source, file);
    std::vector<syntax::Statement> statements;
    for (syntax::Statement& statement : result.statements)
      if (statement.form == syntax::Statement::Form::include)
        append(statements, included(statement, source.file()).statements);
      else
        statements.push_back(std::move(statement));
    result.statements = std::move(statements);
    including_.pop_back();
    return result;
  }

  std::vector<std::string> files() { return std::move(files_); }
  std::vector<Heading> headings() { return std::move(headings_); }

 private:
  static void append(std::vector<syntax::Statement>& to, std::vector<syntax::Statement> more) {
    std::move(more.begin(), more.end(), std::back_inserter(to));
  }

  syntax::File included(const syntax::Statement& include, const std::string& from) {
    const std::string& name = include.text;
    std::optional<Source> source = resolve_(name, from);
    if (!source) throw InputError(from, include.place.where, fmt::format("no file '{}' to include", name));
    if (std::find(including_.begin(), including_.end(), source->file) != including_.end())
      throw InputError(from, include.place.where, fmt::format("'{}' includes itself", name));
    return read(std::move(*source));
  }

  const IncludeResolver& resolve_;
  std::vector<std::string> files_;
  std::vector<Heading> headings_;
  std::vector<std::string> including_;  // the chain of files from the model to the current file
};

Source in_file(const std::string& path) { return {path, text_of_input(path, "a cat model")}; }

/// An embedded model, with or without `.cat`; null if there is none.
const EmbeddedModel* embedded(const std::string& name) {
  for (const EmbeddedModel& model : embedded_models())
    if (model.file_name == name || model.file_name == name + ".cat") return &model;
  return nullptr;
}

Source source_of(const EmbeddedModel& model) {
  return {std::string(model.file_name), std::string(model.text)};
}

std::optional<Source> embedded_part(const std::string& name) {
  for (const EmbeddedModel& part : embedded_parts())
    if (part.file_name == name) return source_of(part);
  return std::nullopt;
}

/// Files of herd's library whose definitions are predefined here.
std::optional<Source> predefined(const std::string& name) {
  if (name == "stdlib.cat" || name == "cross.cat") return Source{name, "\"predefined\""};
  if (name == "cos.cat") return Source{name, "let co = total_coherence"};
  return std::nullopt;
}

std::optional<Source> find_embedded(const std::string& name) {
  if (const EmbeddedModel* model = embedded(name)) return source_of(*model);
  if (std::optional<Source> source = embedded_part(name)) return source;
  return predefined(name);
}

std::optional<Source> find_included(const std::string& name, const std::string& from) {
  const fs::path beside = fs::path(from).parent_path() / name;
  std::error_code error;
  if (fs::is_regular_file(beside, error)) return in_file(beside.string());
  return find_embedded(name);
}

}  // namespace

Model parse(Source source, const IncludeResolver& resolve) {
  Model model;
  model.name = fs::path(source.file).stem().string();
  Reader reader(resolve);
  const syntax::File file = reader.read(std::move(source));
  model.title = file.title;
  model.is_ptx = file.architecture == "PTX";
  model.files = reader.files();
  model.headings = reader.headings();
  return analyse(std::move(model), file.statements);
}

const Model* embedded_model(const std::string& name) {
  const EmbeddedModel* const wanted = embedded(name);
  if (wanted == nullptr) return nullptr;
  static std::mutex mutex;
  static std::map<std::string_view, Model> models;  // by file name
  const std::lock_guard lock(mutex);
  if (const auto known = models.find(wanted->file_name); known != models.end()) return &known->second;
  const auto include = [](const std::string& part, const std::string&) { return find_embedded(part); };
  return &models.emplace(wanted->file_name, parse(source_of(*wanted), include)).first->second;
}

Model load(const std::string& name_or_path) {
  std::error_code error;
  const bool is_path = name_or_path.find('/') != std::string::npos ||
                       (name_or_path.ends_with(".cat") && fs::exists(name_or_path, error));
  if (is_path) return parse(in_file(name_or_path), find_included);
  if (const Model* model = embedded_model(name_or_path)) return *model;
  if (fs::exists(name_or_path, error)) return parse(in_file(name_or_path), find_included);
  std::vector<std::string> names;
  for (const EmbeddedModel& model : embedded_models())
    names.push_back(fs::path(std::string(model.file_name)).stem().string());
  throw InputError(name_or_path, {},
                   fmt::format("found no such file, expected a file or one of the models {}{}",
                               fmt::join(names, ", "), did_you_mean(name_or_path, names)));
}

}  // namespace ptxmc::cat
