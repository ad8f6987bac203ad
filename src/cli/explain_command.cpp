#include "src/cli/explain_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "src/cli/output.hpp"
#include "src/instruction/explanation.hpp"

namespace ptxmc {

void define_explain_command(CLI::App& command, ExitStatus& status) {
  const auto instructions = std::make_shared<std::vector<std::string>>();
  command
      .add_option("instruction", *instructions, "such as 'mad.hi.sat.s32 d, a, b, c'; operands are optional")
      ->required()
      ->type_name("INSTRUCTION");
  command.callback([instructions, &status] {
    for (const std::string& instruction : *instructions) {
      if (&instruction != &instructions->front()) print_output("\n");
      print_output("{}", explanation_of(instruction));
    }
    status = ExitStatus::success;
  });
}

}  // namespace ptxmc
