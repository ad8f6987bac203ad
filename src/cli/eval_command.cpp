#include "src/cli/eval_command.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "solver/limits/time_limit.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/interruption.hpp"
#include "src/cli/number_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"
#include "src/instruction/evaluated_line.hpp"
#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

struct EvalOptions {
  std::string file = "-";
  std::string engine = "auto";
  double timeout = 0;
  bool intervals = false;
  bool json = false;
  bool quiet = false;
};

/// `instruction;inputs;result`, then differing results and the interval.
std::string line_text(const VectorLine& line, const EvaluatedLine& result) {
  std::string text = fmt::format("{};{};{}", line.instructions, line.inputs, result.computed);
  if (!result.agrees && !line.output.empty() && result.solved.empty())
    text.append(";expected ").append(line.output);
  if (!result.solved.empty()) text.append(";smt ").append(result.solved);
  if (!result.interval.empty()) text.append(";").append(result.interval);
  return text + "\n";
}

std::string line_json(const std::string& file, std::uint32_t number, const VectorLine& line,
                      const EvaluatedLine& result) {
  using Json = nlohmann::ordered_json;
  const auto text_or_null = [](std::string_view text) { return text.empty() ? Json(nullptr) : Json(text); };
  return json_text({{"file", file},
                    {"line", number},
                    {"instruction", line.instructions},
                    {"inputs", line.inputs},
                    {"result", result.computed},
                    {"expected", text_or_null(line.output)},
                    {"agrees", line.output.empty() ? Json(nullptr) : Json(result.agrees)},
                    {"smt", text_or_null(result.solved)},
                    {"interval", text_or_null(result.interval)}}) +
         "\n";
}

/// Waits for standard input to have data or to end. Returns false if interrupted.
bool wait_for_input() {
  constexpr int milliseconds = 100;
  pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (!interrupted())
    if (poll(&input, 1, milliseconds) != 0) return true;
  return false;
}

/// Reads lines, prints them with their results, and counts differences.
class Evaluator {
 public:
  Evaluator(const EvalOptions& options, std::string name) : options_(options), name_(std::move(name)) {}

  ExitStatus run(std::istream& in) {
    for (std::uint32_t number = 1; !interrupted() && next_line(in, number); ++number) {
      std::string_view line = line_.data();
      if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);  // a byte order mark
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty() || line.starts_with('#')) continue;
      try {
        evaluate(line, number);
      } catch (const OutOfTime& out) {
        if (interrupted()) break;
        report({"unknown",
                name_,
                {number, 1},
                out.what(),
                fmt::format("{}:{}: unknown: {}\n", visible_line(name_), number, out.what()),
                ExitStatus::unknown});
      } catch (...) {
        report(current_failure(name_));
      }
    }
    flush();
    if (in.bad()) throw InputError(name_, {}, "found an input that cannot be read to its end");
    if (interrupted()) {
      print_error("interrupted: the results known so far are above\n");
      status_ = graver(status_, ExitStatus::unknown);
    }
    if (compared_ != 0) print_error("{} results compared, {} differ\n", compared_, different_);
    return different_ == 0 ? status_ : graver(status_, ExitStatus::violation);
  }

 private:
  /// Reads into `line_`. Output is flushed before the program waits for input.
  bool next_line(std::istream& in, std::uint32_t number) {
    if (in.rdbuf()->in_avail() <= 0) {
      flush();
      flush_output();
      if (&in == &std::cin && !wait_for_input()) return false;
    }
    in.getline(line_.data(), static_cast<std::streamsize>(line_.size()));
    if (in.fail() && static_cast<std::size_t>(in.gcount()) + 1 == line_.size()) {
      flush();
      throw InputError(
          name_, {number, 1},
          fmt::format("found a line of more than {} bytes, expected `instruction;inputs`", line_.size() - 1));
    }
    return !in.fail();
  }

  /// The result of Z3. If it does not end in time, no other work may use the same terms.
  std::vector<Bits> solve(const VectorLine& line, const std::shared_ptr<PreparedLine>& prepared) {
    try {
      return supervised(Budget(options_.timeout, 0),
                        [prepared, inputs = inputs_] { return prepared->solve(inputs); });
    } catch (const OutOfTime&) {
      lines_.forget(line);
      throw;
    }
  }

  void evaluate(std::string_view text, std::uint32_t number) {
    const VectorLine line = read_vector_line(text, name_, number);
    const std::shared_ptr<PreparedLine> prepared = lines_.find(line, name_, number);
    read_inputs(line, prepared->evaluation, inputs_, name_, number);
    if (uses_solver() || options_.intervals) prepared->make_terms();
    const std::vector<Bits> solved = uses_solver() ? solve(line, prepared) : std::vector<Bits>();
    const EvaluatedLine result =
        evaluated(line, *prepared, inputs_, solved, results_of(), options_.intervals);
    if (!line.output.empty()) ++compared_;
    if (!result.agrees) ++different_;
    if (options_.quiet && result.agrees) return;
    out_ += options_.json ? line_json(name_, number, line, result) : line_text(line, result);
    if (uses_solver() || out_.size() > 1 << 16) flush();
  }

  bool uses_solver() const { return options_.engine != "auto"; }
  ResultsOf results_of() const {
    if (!uses_solver()) return ResultsOf::rule;
    return options_.engine == "smt" ? ResultsOf::solver : ResultsOf::both;
  }

  void report(const Failure& failure) {
    flush();
    report_failure(failure, options_.json);
    status_ = graver(status_, failure.status);
  }

  void flush() {
    print_output("{}", out_);
    out_.clear();
  }

  const EvalOptions& options_;
  std::string name_;
  std::vector<char> line_ = std::vector<char>(std::size_t{1} << 20);  ///< no line is longer
  PreparedLines lines_;
  std::vector<Bits> inputs_;
  std::string out_;
  std::size_t compared_ = 0, different_ = 0;
  ExitStatus status_ = ExitStatus::success;
};

ExitStatus evaluate_file(const EvalOptions& options) {
  catch_interruption();
  std::ios::sync_with_stdio(false);
  if (options.file == "-") return Evaluator(options, "<standard input>").run(std::cin);
  std::error_code error;
  std::ifstream in(options.file);
  if (!in || std::filesystem::is_directory(options.file, error))
    throw InputError(
        options.file, {},
        fmt::format("found {}, expected lines `instruction;inputs`", unreadable_text(options.file)));
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
  add_seconds(command, "--timeout", options->timeout, "limit of the solver for each line; 0: none");
  command.add_flag("--intervals", options->intervals, "show what an approximate instruction may compute");
  command.add_flag("--json", options->json, "one JSON object a line");
  command.add_flag("--quiet,-q", options->quiet, "print only lines whose results differ");
  command.callback([options, &status] {
    status = reporting_failures(options->json, "ptxmc", [&] { return evaluate_file(*options); });
  });
}

}  // namespace ptxmc
