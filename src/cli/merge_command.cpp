#include "src/cli/merge_command.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "src/cli/campaign.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/failure.hpp"

namespace ptxmc {

void define_merge_command(CLI::App& command, ExitStatus& status) {
  struct MergeOptions {
    CommonOptions common;
    CampaignOptions campaign;
    std::vector<std::string> files;
  };
  const auto options = std::make_shared<MergeOptions>();
  command.add_option("results", options->files, "files that --results has written")
      ->required()
      ->type_name("FILE.jsonl");
  command.add_option("--html", options->campaign.html, "write the results as one page")->type_name("FILE");
  add_output_options(command, options->common);
  command.callback([options, &status] {
    status = reporting_failures(options->common.json, "ptxmc", [&] {
      return print_merged(options->files, options->campaign, options->common);
    });
  });
}

}  // namespace ptxmc
