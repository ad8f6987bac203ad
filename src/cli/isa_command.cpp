#include "src/cli/isa_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/instruction_set.hpp"
#include "src/cli/output.hpp"
#include "src/report/catalogue.hpp"

namespace ptxmc {

namespace {

struct IsaOptions {
  std::vector<std::string> opcodes;
  bool markdown = false;
};

void print_catalogue(const IsaOptions& options) {
  if (options.opcodes.empty())
    print_output("{}", options.markdown ? catalogue_markdown(ptx()) : catalogue_text(ptx()));
  for (const std::string& opcode : options.opcodes) {
    const std::string forms = forms_text(ptx(), opcode);
    if (forms.empty())
      throw InputError(opcode, {}, "found no instruction of this name, expected one that `ptxmc isa` lists");
    print_output("{}", forms);
  }
}

}  // namespace

void define_isa_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<IsaOptions>();
  command
      .add_option("opcode", options->opcodes,
                  "show all forms of these: an opcode, the beginning of an instruction (atom.add), or a name "
                  "with `*` (cvt.*.f16)")
      ->type_name("NAME");
  command.add_flag("--markdown", options->markdown, "print the table in the form of docs/coverage.md");
  command.callback([options, &status] {
    print_catalogue(*options);
    status = ExitStatus::success;
  });
}

}  // namespace ptxmc
