#include "src/cli/launch_command.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/text_file.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/launch_options.hpp"
#include "src/cli/output.hpp"
#include "src/kernel/launch/launch_template.hpp"
#include "src/kernel/module/entry_names.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc {

namespace {

namespace fs = std::filesystem;

struct LaunchCommandOptions {
  std::string module, entry;
  std::string output;  ///< empty: standard output
  bool may_overwrite = false;
};

/// The module as a launch file in this folder names it.
std::string path_from(const fs::path& folder, const fs::path& module) {
  return module.is_absolute() ? module.string()
                              : fs::proximate(module, folder.empty() ? "." : folder).string();
}

ExitStatus write_launch(const LaunchCommandOptions& options) {
  const fs::path output = options.output;
  if (!options.may_overwrite && !options.output.empty() && fs::exists(output))
    throw InputError(options.output, {},
                     "found a file of this name, expected a new name, or --force to replace it");
  kernel::Launch launch;
  launch.module = options.module;
  launch.module_where = {options.module};
  const syntax::Module module = kernel::read_module_of(launch);
  const kernel::LaunchPlace place = {options.entry.empty() ? options.module : "--entry " + options.entry};
  const syntax::Function& entry = kernel::entry_named(options.entry, module, place);
  const std::string text =
      kernel::launch_template(module, entry, path_from(output.parent_path(), options.module));
  if (options.output.empty())
    write_output(text);
  else
    write_text_file(output, text);
  return ExitStatus::success;
}

}  // namespace

void define_launch_command(CLI::App& command, ExitStatus& status) {
  const auto options = std::make_shared<LaunchCommandOptions>();
  command.add_option("module", options->module, "a PTX module")->required()->type_name("MODULE.ptx");
  add_entry_option(command, options->entry);
  command.add_option("--output,-o", options->output, "write to this file, not to standard output")
      ->type_name("LAUNCH.toml");
  command.add_flag("--force", options->may_overwrite, "replace the file if it exists");
  command.callback([options, &status] {
    status = reporting_failures(false, options->module, [&] { return write_launch(*options); });
  });
}

}  // namespace ptxmc
