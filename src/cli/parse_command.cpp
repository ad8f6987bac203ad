#include "src/cli/parse_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semantics/language/text_file.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/output.hpp"
#include "src/ptx/check.hpp"
#include "src/ptx/print.hpp"
#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

struct ParseOptions {
  std::vector<std::string> files;
  bool print = false;
  bool json = false;
  bool quiet = false;
};

std::shared_ptr<const SourceText> read_source(const std::string& file) {
  return std::make_shared<const SourceText>(file, text_of_input(file, "a PTX module"));
}

std::size_t instructions_in(const syntax::Block& block) {
  std::size_t count = 0;
  for (const syntax::Statement& statement : block.statements) {
    if (std::holds_alternative<syntax::Instruction>(statement.is)) ++count;
    if (const auto* inner = std::get_if<syntax::Block>(&statement.is)) count += instructions_in(*inner);
  }
  return count;
}

/// Counts of the parts of a module.
struct Summary {
  std::string version, target;
  std::size_t entries = 0, functions = 0, instructions = 0;
};

Summary summary_of(const syntax::Module& module) {
  Summary summary;
  summary.version = fmt::format("{}.{}", module.version / 10, module.version % 10);
  for (const syntax::ModuleStatement& statement : module.statements) {
    if (const auto* target = std::get_if<syntax::Target>(&statement.is); target && summary.target.empty())
      summary.target = target->names.front();
    const auto* function = std::get_if<syntax::Function>(&statement.is);
    if (function == nullptr || !function->body) continue;
    ++(function->is_entry ? summary.entries : summary.functions);
    summary.instructions += instructions_in(*function->body);
  }
  return summary;
}

std::string summary_json(const std::string& file, const Summary& summary,
                         const syntax::Diagnostics& diagnostics) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const syntax::Diagnostic& d : diagnostics.all()) {
    const bool is_error = d.severity == syntax::Diagnostic::Severity::error;
    list.push_back({{"severity", is_error ? "error" : "note"},
                    {"line", d.where.line},
                    {"column", d.where.column},
                    {"message", d.message}});
  }
  const nlohmann::ordered_json object = {{"file", file},
                                         {"version", summary.version},
                                         {"target", summary.target},
                                         {"entries", summary.entries},
                                         {"functions", summary.functions},
                                         {"instructions", summary.instructions},
                                         {"errors", diagnostics.errors()},
                                         {"diagnostics", list}};
  return json_text(object);
}

void show_diagnostics(const syntax::Diagnostics& diagnostics, const SourceText& source, bool quiet) {
  for (const syntax::Diagnostic& diagnostic : diagnostics.all())
    if (!quiet || diagnostic.severity == syntax::Diagnostic::Severity::error)
      print_error("{}", show(diagnostic, source));
  if (diagnostics.errors() > syntax::Diagnostics::most_errors)
    print_error("{}: {} errors; the first {} are shown\n", source.file(), diagnostics.errors(),
                syntax::Diagnostics::most_errors);
}

ExitStatus parse_file(const std::string& file, const ParseOptions& options) {
  const auto source = read_source(file);
  syntax::Diagnostics diagnostics;
  const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  const Summary summary = summary_of(module);
  if (options.json) {
    print_output("{}\n", summary_json(file, summary, diagnostics));
  } else {
    show_diagnostics(diagnostics, *source, options.quiet);
    if (!diagnostics.has_errors() && options.print)
      print_output("{}", print(module));
    else if (!diagnostics.has_errors() && !options.quiet)
      print_output("{}: PTX ISA {}, {}: {} entries, {} functions, {} instructions\n", file, summary.version,
                   summary.target, summary.entries, summary.functions, summary.instructions);
  }
  return diagnostics.has_errors() ? ExitStatus::wrong_input : ExitStatus::success;
}

}  // namespace

void define_parse_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<ParseOptions>();
  command.add_option("file", options->files, "PTX modules")->required()->type_name("FILE.ptx");
  command.add_flag("--print", options->print, "print the modules, if they are correct");
  command.add_flag("--json", options->json, "one JSON object a line for each module");
  command.add_flag("--quiet,-q", options->quiet, "print errors only");
  command.callback([options, &status] {
    for (const std::string& file : options->files)
      status =
          graver(status, reporting_failures(options->json, file, [&] { return parse_file(file, *options); }));
  });
}

}  // namespace ptxmc
