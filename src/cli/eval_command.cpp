#include "src/cli/eval_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "semantics/diagnostic.hpp"
#include "solver/solve_terms.hpp"
#include "solver/time_limit.hpp"
#include "src/cli/diagnostics.hpp"
#include "src/cli/output.hpp"
#include "src/instruction/interval.hpp"
#include "src/instruction/vector_line.hpp"

namespace ptxmc {

namespace {

struct EvalOptions {
  std::string file = "-";
  std::string engine = "auto";
  double timeout = 0;
  bool intervals = false;
  bool quiet = false;
};

/// Reads lines, writes them with their results, and counts what differs.
class Evaluator {
 public:
  Evaluator(const EvalOptions& options, std::string name) : options_(options), name_(std::move(name)) {}

  ExitStatus run(std::istream& in) {
    std::string line;
    for (std::uint32_t number = 1; std::getline(in, line); ++number) {
      if (line.ends_with('\r')) line.pop_back();
      if (line.empty() || line.starts_with('#')) continue;
      try {
        evaluate(line, number);
      } catch (const InputError& error) {
        report(diagnostic_text(error), ExitStatus::wrong_input);
      } catch (const Unsupported& unsupported) {
        report(unsupported_text(unsupported, name_), ExitStatus::unknown);
      } catch (const OutOfTime& out) {
        report(fmt::format("{}:{}: unknown: {}\n", name_, number, out.what()), ExitStatus::unknown);
      }
    }
    flush();
    if (compared_ != 0) print_error("{} results compared, {} differ\n", compared_, different_);
    return different_ == 0 ? status_ : graver(status_, ExitStatus::violation);
  }

 private:
  void evaluate(std::string_view text, std::uint32_t number) {
    const VectorLine line = read_vector_line(text, name_, number);
    PreparedLine& prepared = lines_.find(line, name_, number);
    Evaluation& evaluation = prepared.evaluation;
    read_inputs(line, evaluation, inputs_, name_, number);
    const bool uses_solver = options_.engine != "auto";
    if (uses_solver || options_.intervals) prepared.make_terms();

    const TimeLimit limit(options_.timeout, nullptr);
    const std::vector<Bits> solved =
        uses_solver ? solve_terms(prepared.terms, prepared.unknowns, inputs_) : std::vector<Bits>{};
    const std::size_t start = out_.size();
    out_.append(line.instructions).append(";").append(line.inputs).append(";");
    bool agree = true;
    if (options_.engine == "smt") {
      write_and_compare(line, evaluation, solved, agree);
    } else {
      write_and_compare(line, evaluation, evaluation.run(inputs_), agree);
    }
    if (options_.engine == "both") compare_engines(prepared, solved, agree);
    if (options_.intervals) write_interval(prepared);
    out_ += '\n';
    if (options_.quiet && agree) out_.resize(start);
    if (!agree) ++different_;
    if (out_.size() > 1 << 16) flush();
  }

  void write_and_compare(const VectorLine& line, const Evaluation& evaluation, std::span<const Bits> values,
                         bool& agree) {
    append_results(out_, evaluation, values);
    if (line.output.empty()) return;
    ++compared_;
    if (agrees(line.output, evaluation, values)) return;
    agree = false;
    out_.append(";expected ").append(line.output);
  }

  /// What the solver says, if it is something else. An approximation may be any value within its bound.
  void compare_engines(PreparedLine& prepared, std::span<const Bits> solved, bool& agree) {
    const std::span<const Bits> computed = prepared.evaluation.run(inputs_);
    if (result_interval(prepared.terms, inputs_)) return;
    if (std::ranges::equal(computed, solved, [](const Bits& a, const Bits& b) { return identical(a, b); }))
      return;
    agree = false;
    out_ += ";smt ";
    append_results(out_, prepared.evaluation, solved);
  }

  void write_interval(PreparedLine& prepared) {
    const auto interval = result_interval(prepared.terms, inputs_);
    if (!interval) return;
    if (!interval->is_bounded) {
      out_ += ";unbounded";
      return;
    }
    out_ += ";[";
    append_results(out_, prepared.evaluation, interval->low);
    out_ += " .. ";
    append_results(out_, prepared.evaluation, interval->high);
    out_ += ']';
  }

  void report(const std::string& text, ExitStatus status) {
    flush();
    print_error("{}", text);
    status_ = graver(status_, status);
  }

  void flush() {
    print_output("{}", out_);
    out_.clear();
  }

  const EvalOptions& options_;
  std::string name_;
  PreparedLines lines_;
  std::vector<Bits> inputs_;
  std::string out_;
  std::size_t compared_ = 0, different_ = 0;
  ExitStatus status_ = ExitStatus::success;
};

ExitStatus evaluate_file(const EvalOptions& options) {
  std::ios::sync_with_stdio(false);
  if (options.file == "-") return Evaluator(options, "<standard input>").run(std::cin);
  std::ifstream in(options.file);
  if (!in) throw InputError(options.file, {}, "found no readable file, expected lines `instruction;inputs`");
  return Evaluator(options, options.file).run(in);
}

}  // namespace

void define_eval_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<EvalOptions>();
  command.add_option("file", options->file, "lines `instruction;hex,hex,…[;expected]`; -: standard input")
      ->type_name("FILE");
  command
      .add_option("--engine", options->engine,
                  "auto: the rules on numbers; smt: their terms in Z3; both: compared")
      ->check(CLI::IsMember({"auto", "smt", "both"}))
      ->capture_default_str()
      ->type_name("NAME");
  command.add_option("--timeout", options->timeout, "limit of the solver for each line")
      ->check(CLI::NonNegativeNumber)
      ->type_name("SECONDS");
  command.add_flag("--intervals", options->intervals, "show what an approximate instruction may compute");
  command.add_flag("--quiet,-q", options->quiet, "print only lines whose results differ");
  command.callback([options, &status] { status = evaluate_file(*options); });
}

}  // namespace ptxmc
