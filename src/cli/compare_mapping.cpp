#include "src/cli/compare_mapping.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "semantics/language/text_file.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/progress_line.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/handles.hpp"
#include "src/report/drawing.hpp"
#include "src/report/mapping_text.hpp"

namespace ptxmc {
namespace {

using FoundMapping = std::shared_ptr<const v1::MappingAnswer::Data>;

ExitStatus draw(const FoundMapping& found, const CommonOptions& common) {
  const std::string path = common.witness.string();
  if (found->report.difference.refinement.extra.empty()) {
    print_error("{}: no execution to draw: no counterexample was found\n", path);
    return ExitStatus::success;
  }
  return draw_supervised(common, found->report.seconds, [found, path] {
    const Refinement& refinement = found->report.difference.refinement;
    DrawingOptions drawing;
    drawing.title = found->report.difference.target;
    drawing.footer = mapping_verdict(found->report);
    write_witness(*refinement.target.executions[refinement.extra.front()], path, drawing);
  });
}

}  // namespace

void write_pair(const v1::TestPair& texts, const std::filesystem::path& folder, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  write_text_file(folder / (name + ".source.litmus"), texts.source);
  write_text_file(folder / (name + ".target.litmus"), texts.target);
}

void add_mapping_options(CLI::App& command, MappingOptions& options) {
  command
      .add_option("--mapping", options.question.mappings,
                  "compile tests of C++ by the rules of a mapping, or without files all small programs; then "
                  "repeatable: code that is linked together")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("FILE|NAME");
  const auto add_number = [&](const char* flag, unsigned& number, std::uint64_t lowest, std::uint64_t highest,
                              const char* description) {
    add_whole_number(
        command, flag, {.lowest = lowest, .highest = highest},
        [&number](std::uint64_t value) { number = static_cast<unsigned>(value); }, description)
        ->default_str(std::to_string(number));
  };
  command
      .add_option("--kinds", options.question.kinds,
                  "with --mapping: the kinds of operations, with commas between")
      ->delimiter(',')
      ->check(CLI::IsMember({"load", "store", "rmw", "cas", "fence"}))
      ->default_str("load,store,rmw,cas,fence")
      ->type_name("KIND,...");
  add_number("--threads", options.question.threads, 2, 6, "with --mapping: at most so many threads");
  add_number("--operations", options.question.operations, 1, 6,
             "with --mapping: at most so many accesses of a thread, with fences between them");
  add_number("--locations", options.question.locations, 1, 6, "with --mapping: at most so many locations");
  command.add_option("--scope", options.question.scope, "with --mapping: the scope of the operations")
      ->check(CLI::IsMember({"block", "cluster", "device", "system"}))
      ->capture_default_str()
      ->type_name("NAME");
  command
      .add_option(
          "--out", options.out,
          "with --mapping: write the counterexample as a pair of tests; with --reduce: the smaller pair")
      ->type_name("DIR");
}

ExitStatus compare_mapping(const MappingOptions& options, const CommonOptions& common,
                           const v1::Model& source, const v1::Model& target) {
  v1::MappingOptions question = options.question;
  set_library_options(common, budget_of(common), question);
  question.jobs = job_count(common);
  question.source_model = source;
  question.model = target;
  std::optional<ProgressLine> progress;
  question.on_shape = [&](unsigned accesses, std::size_t done, std::size_t shapes, std::uint64_t programs) {
    if (done == 1) progress.emplace(shapes, common);
    progress->show(done, fmt::format("{} accesses, {} programs", accesses, programs));
  };
  const v1::MappingAnswer answer = v1::check_mappings(question);
  progress.reset();
  if (answer.counterexample && !options.out.empty())
    write_pair(*answer.counterexample, options.out, "counterexample");
  if (common.json && !common.quiet) print_output("{}\n", mapping_json(answer.data->report));
  if (!common.json && !common.quiet) print_output("{}", answer.text);
  ExitStatus status = answer.counterexample     ? ExitStatus::violation
                      : !answer.unknown.empty() ? ExitStatus::unknown
                                                : ExitStatus::success;
  if (!common.witness.empty()) status = graver(status, draw(answer.data, common));
  return status;
}

}  // namespace ptxmc
