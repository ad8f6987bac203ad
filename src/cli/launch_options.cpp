#include "src/cli/launch_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "semantics/diagnostic.hpp"
#include "src/kernel/launch_file.hpp"

namespace ptxmc {

namespace {

constexpr std::uint32_t most_sizes = 4096;

[[noreturn]] void refuse(const char* flag, const std::string& text, const char* expected) {
  throw InputError(flag, {}, fmt::format("found '{}', expected {}", text, expected));
}

std::uint32_t number(const char* flag, const std::string& text, std::string_view part) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (error != std::errc() || end != part.data() + part.size() || value == 0 || value > 0x7fffffff)
    refuse(flag, text, "numbers from 1 to 2147483647: 4, 4,2,1 or 1..64");
  return value;
}

/// `8`, `8,2`, `8,2,1`, or `1..64`: each of them.
std::vector<kernel::Dimensions> sizes(const char* flag, const std::string& text) {
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const std::uint32_t first = number(flag, text, std::string_view(text).substr(0, dots));
    const std::uint32_t last = number(flag, text, std::string_view(text).substr(dots + 2));
    if (last < first || last - first >= most_sizes)
      refuse(flag, text, "a range of at most 4096 sizes, from the smaller to the larger");
    std::vector<kernel::Dimensions> result;
    for (std::uint32_t size = first; size <= last; ++size) result.push_back({size, 1, 1});
    return result;
  }
  kernel::Dimensions result = {1, 1, 1};
  std::size_t count = 0;
  for (std::size_t start = 0; start <= text.size(); ++count) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (count == result.size()) refuse(flag, text, "one to three numbers");
    result[count] = number(flag, text, std::string_view(text).substr(start, end - start));
    start = end + 1;
  }
  return {result};
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// What stands for a value in a launch file: "any", a number, or a list of numbers.
std::string value_text(const std::string& text) {
  if (text == "any") return quoted(text);
  return text.find(',') == std::string::npos ? text : "[" + text + "]";
}

/// `n=s32:5`, `x=f32[4]`, `x=s32[4]:0,1,2,3`, `y=s32[4]:any`.
std::string parameter_text(const std::string& text) {
  constexpr const char* expected =
      "NAME=TYPE:VALUE or NAME=TYPE[COUNT]:VALUES, such as n=s32:5 or x=f32[4]:0";
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse("--param", text, expected);
  const std::size_t colon = std::min(text.find(':', equals), text.size());
  const std::string type = text.substr(equals + 1, colon - equals - 1);
  const std::string value = colon < text.size() ? text.substr(colon + 1) : "";
  std::string result = fmt::format("[[param]]\nname = {}\n", quoted(text.substr(0, equals)));
  if (type.find('[') != std::string::npos) {
    result += fmt::format("buffer = {}\n", quoted(type));
    if (!value.empty()) result += fmt::format("init = {}\n", value_text(value));
  } else {
    if (value.empty()) refuse("--param", text, expected);
    result += fmt::format("type = {}\nvalue = {}\n", quoted(type), value_text(value));
  }
  return result;
}

/// A launch of a module as a launch file would have it.
kernel::Launch launch_of_flags(const std::filesystem::path& module, const LaunchOptions& options) {
  if (options.entry.empty())
    throw InputError(module.string(), {}, "found a module, expected --entry with the kernel in it");
  std::string text = fmt::format("module = {}\nentry = {}\ngrid = [1]\nblock = [1]\n",
                                 quoted(module.filename().string()), quoted(options.entry));
  for (const std::string& parameter : options.parameters) text += parameter_text(parameter);
  return kernel::parse_launch(text, module);
}

}  // namespace

void add_launch_options(CLI::App& command, LaunchOptions& options) {
  command.add_option("--module", options.module, "another PTX module than the launch file says")
      ->type_name("FILE.ptx");
  command.add_option("--entry", options.entry, "the kernel")->type_name("NAME");
  command.add_option("--grid", options.grid, "CTAs: X, X,Y or X,Y,Z; A..B checks each number")
      ->type_name("SIZE");
  command.add_option("--block", options.block, "threads of a CTA, in the same form")->type_name("SIZE");
  command.add_option("--cluster", options.cluster, "CTAs of a cluster")->type_name("SIZE");
  command
      .add_option("--param", options.parameters,
                  "a parameter, in order, where there is no launch file: n=s32:5, n=s32:any, x=f32[4]:0, "
                  "x=s32[2]:1,2, x=s32[4]:any, x=s32[4]")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("NAME=TYPE:VALUE");
  command.add_option("--assume", options.assumption, "a condition over parameters: \"n > 0 && n <= 8\"")
      ->type_name("CONDITION");
  command
      .add_option("--final", options.final_condition,
                  "a condition over buffers when all threads have ended: \"counter[0] == 2\"")
      ->type_name("CONDITION");
}

std::vector<kernel::Launch> launches_of(const std::string& file, const LaunchOptions& options) {
  const bool is_module = std::filesystem::path(file).extension() == ".ptx";
  kernel::Launch launch = is_module ? launch_of_flags(file, options) : kernel::read_launch(file);
  if (!is_module && !options.parameters.empty())
    throw InputError("--param", {}, "found it with a launch file, expected a module or no --param");
  // What the flags say stands nowhere in the file.
  if (!options.module.empty()) {
    launch.module = options.module;
    launch.module_where = {};
  }
  if (!options.entry.empty()) {
    launch.entries = {options.entry};
    launch.entry_where = {};
  }
  if (!options.cluster.empty()) launch.cluster = sizes("--cluster", options.cluster).front();
  if (!options.assumption.empty()) {
    launch.assumption = options.assumption;
    launch.assumption_where = {};
  }
  if (!options.final_condition.empty()) {
    launch.final_condition = options.final_condition;
    launch.final_where = {};
  }
  const auto grids = options.grid.empty() ? std::vector{launch.grid} : sizes("--grid", options.grid);
  const auto blocks = options.block.empty() ? std::vector{launch.block} : sizes("--block", options.block);
  std::vector<kernel::Launch> result;
  for (const kernel::Dimensions& grid : grids)
    for (const kernel::Dimensions& block : blocks) {
      if (kernel::volume(block) > 1024) refuse("--block", options.block, "at most 1024 threads in a block");
      launch.grid = grid;
      launch.block = block;
      result.push_back(launch);
    }
  return result;
}

}  // namespace ptxmc
