#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "src/cli/check_command.hpp"
#include "src/cli/diagnostics.hpp"
#include "src/cli/eval_command.hpp"
#include "src/cli/exit_status.hpp"
#include "src/cli/explain_command.hpp"
#include "src/cli/isa_command.hpp"
#include "src/cli/litmus_command.hpp"
#include "src/cli/model_command.hpp"
#include "src/cli/parse_command.hpp"
#include "src/cli/run_command.hpp"

using namespace ptxmc;

namespace {

ExitStatus run(int argc, char** argv) {
  CLI::App app("A formal semantics of PTX and a checker for its memory model", "ptxmc");
  app.set_version_flag("--version", PTXMC_VERSION);
  app.require_subcommand(1);
  ExitStatus status = ExitStatus::success;
  add_litmus_command(app, status);
  add_check_command(app, status);
  add_model_command(app, status);
  add_parse_command(app, status);
  add_isa_command(app, status);
  add_eval_command(app, status);
  add_explain_command(app, status);
  add_run_command(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ExitStatus::success : ExitStatus::wrong_input;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  ExitStatus status = ExitStatus::internal_error;
  try {
    status = run(argc, argv);
  } catch (const InputError& error) {
    fmt::print(stderr, "{}", diagnostic_text(error));
    status = ExitStatus::wrong_input;
  } catch (const Unsupported& unsupported) {
    fmt::print(stderr, "{}", unsupported_text(unsupported, "ptxmc"));
    status = ExitStatus::unknown;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ptxmc: internal error, please report it: {}\n", error.what());
  }
  return static_cast<int>(status);
}
