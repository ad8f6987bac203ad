#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>

#include "semantics/language/diagnostic.hpp"
#include "solver/limits/memory_limit.hpp"
#include "src/cli/check_command.hpp"
#include "src/cli/compare_command.hpp"
#include "src/cli/distinguish_command.hpp"
#include "src/cli/eval_command.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/explain_command.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/fences_command.hpp"
#include "src/cli/generate_command.hpp"
#include "src/cli/isa_command.hpp"
#include "src/cli/launch_command.hpp"
#include "src/cli/litmus_command.hpp"
#include "src/cli/merge_command.hpp"
#include "src/cli/model_command.hpp"
#include "src/cli/output.hpp"
#include "src/cli/parse_command.hpp"
#include "src/cli/run_command.hpp"
#include "src/cli/supervision.hpp"

using namespace ptxmc;

namespace {

struct Command {
  const char* name;
  const char* purpose;
  void (*define)(CLI::App& command, ExitStatus& status);
};

constexpr Command commands[] = {
    {"litmus", "verdicts, outcomes and witnesses of litmus tests", define_litmus_command},
    {"check", "what can go wrong in launches of real kernels", define_check_command},
    {"launch", "a launch file to start from, made from the code of a kernel", define_launch_command},
    {"fences", "which fences, orders and scopes of a program are needed, wasted or missing",
     define_fences_command},
    {"compare", "whether every behaviour of a target is one of its source", define_compare_command},
    {"merge", "the parts of a campaign put together", define_merge_command},
    {"generate", "litmus tests from cycles of relations", define_generate_command},
    {"distinguish", "the smallest litmus test on which two models differ", define_distinguish_command},
    {"model", "the memory models that come along; show one", define_model_command},
    {"parse", "read and check PTX modules", define_parse_command},
    {"isa", "the instruction catalogue: forms, versions, support", define_isa_command},
    {"eval", "what instructions compute: lines `instruction;inputs`", define_eval_command},
    {"explain", "what an instruction means: syntax, effects, its rule as a term", define_explain_command},
    {"run", "execute kernels once, under one interleaving", define_run_command},
};

/// An option with an empty value is one that its command would take for absent.
void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty())
      option->check([name = option->get_name()](const std::string& value) {
        if (value.empty()) throw InputError(name, {}, "found '', expected a value");
        return std::string();
      });
}

void check_verb(const std::string& word) {
  if (word.starts_with('-') || std::ranges::find(commands, word, &Command::name) != std::end(commands))
    return;
  std::string verbs;
  for (const Command& command : commands) verbs += (verbs.empty() ? "" : ", ") + std::string(command.name);
  throw InputError(word, {}, "found no such verb, expected one of " + verbs);
}

ExitStatus run(int argc, char** argv) {
  if (argc > 1) check_verb(argv[1]);
  CLI::App app("A formal semantics of PTX and a checker for its memory model", "ptxmc");
  app.set_version_flag("--version", PTXMC_VERSION);
  app.require_subcommand(1);
  ExitStatus status = ExitStatus::success;
  for (const Command& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.purpose);
    // A verb is defined only when it is chosen, since defining all of them takes longer than a small test.
    added->preparse_callback([&, added](std::size_t) {
      command.define(*added, status);
      refuse_empty_values(*added);
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream output, errors;
    const int code = app.exit(error, output, errors);
    print_output("{}", output.str());
    print_error("{}", errors.str());
    return code == 0 ? ExitStatus::success : ExitStatus::wrong_input;
  }
  return status;
}

/// Runs the program, converts exceptions to an exit status, and prints errors on standard error.
ExitStatus status_of_run(int argc, char** argv) {
  try {
    const ExitStatus status = reporting_failures(false, "ptxmc", [&] { return run(argc, argv); });
    flush_output();
    return status;
  } catch (const OutputError& error) {
    print_error("ptxmc: {}\n", error.what());
    return ExitStatus::wrong_input;
  } catch (const std::exception& error) {
    print_error("ptxmc: internal error, please report it: {}\n", error.what());
    return ExitStatus::internal_error;
  }
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  prepare_output();
  const ExitStatus status = status_of_run(argc, argv);
  const int code = static_cast<int>(error_output_failed() ? graver(status, ExitStatus::wrong_input) : status);
  if (has_work_given_up()) std::_Exit(code);  // abandoned work still runs and uses static objects
  return code;
}
