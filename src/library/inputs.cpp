// Reading models, litmus tests and launches.
#include <algorithm>
#include <filesystem>

#include "model/cat/embedded_models.hpp"
#include "src/kernel/launch/launch_file.hpp"
#include "src/library/handles.hpp"
#include "src/library/public_errors.hpp"
#include "src/litmus/plain_volatile.hpp"
#include "src/report/condition_text.hpp"

namespace ptxmc {

namespace {

/// The text of an embedded file that a model includes.
std::optional<cat::Source> embedded_part(const std::string& name, const std::string&) {
  for (const auto& files : {embedded_models(), embedded_parts()})
    for (const EmbeddedModel& file : files)
      if (file.file_name == name) return cat::Source{name, std::string(file.text)};
  return std::nullopt;
}

v1::Launch launch_of(kernel::Launch launch) {
  return v1::Launch(std::make_shared<const v1::Launch::Data>(std::move(launch)));
}

kernel::Launch launch_of_text(const std::string& text, const std::filesystem::path& file,
                              std::optional<std::string> module_text = {}) {
  const auto place = [&](SourcePosition where) { return kernel::LaunchPlace{file.string(), where}; };
  return kernel::parse_launch(text, file, place, std::move(module_text));
}

}  // namespace

namespace v1 {

Model::Model(const std::string& name_or_file)
    : data_(with_public_errors(name_or_file,
                               [&] { return std::make_shared<const Data>(cat::load(name_or_file)); })) {}

Model::Model(const char* name_or_file) : Model(std::string(name_or_file)) {}

Model::Model(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

Model Model::from_text(std::string text, std::string file) {
  const std::string name = file;
  return with_public_errors(name, [&] {
    return Model(std::make_shared<const Data>(cat::parse({std::move(file), std::move(text)}, embedded_part)));
  });
}

const std::string& Model::name() const { return data_->name; }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const EmbeddedModel& model : embedded_models())
    names.emplace_back(model.file_name.substr(0, model.file_name.rfind(".cat")));
  return names;
}

LitmusTest::LitmusTest(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

const std::string& LitmusTest::name() const { return data_->name; }

const std::string& LitmusTest::file() const { return data_->file; }

std::string LitmusTest::condition() const { return question_text(data_->question, data_->program); }

bool LitmusTest::is_cpp() const { return data_->language == Language::cpp; }

std::vector<Diagnostic> LitmusTest::warnings() const {
  std::vector<Diagnostic> result;
  for (const Warning& warning : data_->warnings)
    result.push_back({data_->file, warning.where.line, warning.where.column, warning.message});
  return result;
}

LitmusTest parse_litmus(const std::string& text, const std::string& file) {
  return with_public_errors(file, [&] {
    return LitmusTest(std::make_shared<const LitmusTest::Data>(ptxmc::parse_litmus(text, file), text));
  });
}

std::vector<LitmusTest> read_litmus(const std::filesystem::path& path) {
  return with_public_errors(path.string(), [&] {
    std::vector<LitmusTest> result;
    const std::string text = text_of_tests(path);
    for (ptxmc::LitmusTest& test : parse_tests(text, path))
      result.emplace_back(std::make_shared<const LitmusTest::Data>(std::move(test), text));
    return result;
  });
}

LitmusTest with_plain_volatile(const LitmusTest& test) {
  return with_public_errors(test.file(), [&] {
    return LitmusTest(std::make_shared<const LitmusTest::Data>(ptxmc::with_plain_volatile(*test.data()),
                                                               test.data()->text));
  });
}

Launch::Launch(std::shared_ptr<const Data> data) : data_(std::move(data)) {}

const std::filesystem::path& Launch::file() const { return data_->file; }

const std::filesystem::path& Launch::module() const { return data_->module; }

Launch parse_launch(const std::string& text, const std::filesystem::path& file) {
  return with_public_errors(file.string(), [&] { return launch_of(launch_of_text(text, file)); });
}

Launch parse_launch_with_module(const std::string& text, std::string module_text,
                                const std::filesystem::path& file) {
  return with_public_errors(file.string(),
                            [&] { return launch_of(launch_of_text(text, file, std::move(module_text))); });
}

Launch read_launch(const std::filesystem::path& path) {
  return with_public_errors(path.string(), [&] { return launch_of(kernel::read_launch(path)); });
}

}  // namespace v1

}  // namespace ptxmc
