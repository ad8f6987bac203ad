#include "src/cli/explain_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "semantics/language/diagnostic.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/output.hpp"
#include "src/instruction/explanation.hpp"
#include "src/report/catalogue.hpp"
#include "src/report/json_text.hpp"

namespace ptxmc {

namespace {

struct ExplainOptions {
  std::vector<std::string> instructions;
  bool full = false;
  bool json = false;
};

std::string explanation_json(const std::string& instruction, const InstructionExplanation& explanation) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const InstructionExplanation::Result& result : explanation.results)
    results.push_back({{"name", result.name}, {"term", result.term}, {"smtlib", result.smtlib}});
  const auto missing = explanation.missing.empty() ? nlohmann::ordered_json(nullptr)
                                                   : nlohmann::ordered_json(explanation.missing);
  return json_text({{"instruction", instruction},
                    {"spelling", explanation.spelling},
                    {"section", explanation.section},
                    {"since", explanation.versions},
                    {"syntax", explanation.syntax},
                    {"missing", missing},
                    {"effects", explanation.effects},
                    {"results", results},
                    {"declarations", explanation.declarations}});
}

/// An incomplete instruction, or one with `*`, gets the syntax of all matching instructions.
ExitStatus explain(const std::string& instruction, const ExplainOptions& options) {
  InstructionExplanation explanation;
  try {
    explanation = explanation_of(instruction);
  } catch (const InputError&) {
    const std::string forms = options.json ? "" : forms_text(ptx(), instruction);
    if (forms.empty()) throw;
    print_output("{}", forms);
    return ExitStatus::success;
  }
  if (options.json)
    print_output("{}\n", explanation_json(instruction, explanation));
  else
    print_output("{}", explanation_text(explanation, options.full));
  return ExitStatus::success;
}

}  // namespace

void define_explain_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<ExplainOptions>();
  command
      .add_option(
          "instruction", options->instructions,
          "such as 'mad.hi.sat.s32 d, a, b, c'; operands are optional. An incomplete one, or one with "
          "`*`, gives the syntax of all matching instructions")
      ->required()
      ->type_name("INSTRUCTION");
  command.add_flag("--full", options->full, "print long terms completely");
  command.add_flag("--json", options->json, "one JSON object a line for each instruction");
  command.callback([options, &status] {
    for (const std::string& instruction : options->instructions) {
      if (!options->json && &instruction != &options->instructions.front()) print_output("\n");
      status = graver(status, reporting_failures(options->json, instruction,
                                                 [&] { return explain(instruction, *options); }));
    }
  });
}

}  // namespace ptxmc
