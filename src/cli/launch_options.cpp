#include "src/cli/launch_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/element_values.hpp"
#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/module/entry_names.hpp"

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
    refuse(flag, text, "numbers from 1 to 2147483647: 4, 4,2,1 or 1..64; or any");
  return value;
}

/// A size of a grid or block, some dimensions of which may be open.
struct Size {
  kernel::Dimensions extents = {1, 1, 1};
  kernel::OpenDimensions open = {};
};

/// `8`, `8,2`, `8,any,1`, or `1..64`: each of them.
std::vector<Size> sizes(const char* flag, const std::string& text) {
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const std::uint32_t first = number(flag, text, std::string_view(text).substr(0, dots));
    const std::uint32_t last = number(flag, text, std::string_view(text).substr(dots + 2));
    if (last < first || last - first >= most_sizes)
      refuse(flag, text, "a range of at most 4096 sizes, from the smaller to the larger");
    std::vector<Size> result;
    for (std::uint32_t size = first; size <= last; ++size) result.push_back({{size, 1, 1}});
    return result;
  }
  Size result;
  std::size_t count = 0;
  for (std::size_t start = 0; start <= text.size(); ++count) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    if (count == result.extents.size()) refuse(flag, text, "one to three numbers");
    const std::string_view part = std::string_view(text).substr(start, end - start);
    result.open[count] = part == "any";
    if (!result.open[count]) result.extents[count] = number(flag, text, part);
    start = end + 1;
  }
  return {result};
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// A number in the syntax of launch files, or the name of a buffer in quotes.
std::string element_text(const std::string& flag, const std::string& text) {
  const bool is_hexadecimal = text.starts_with("0x");
  const char* begin = text.data() + (is_hexadecimal ? 2 : 0);
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [stop, error] = std::from_chars(begin, end, integer, is_hexadecimal ? 16 : 10);
      error == std::errc() && stop == end)
    return std::to_string(integer);
  double number = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && stop == end) {
    const std::string digits = fmt::format("{}", number);
    return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
  }
  const auto is_of_name = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$' || c == ':';
  };
  const bool is_name = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
                       std::ranges::all_of(text, is_of_name);
  if (!is_name)
    throw InputError(flag, {},
                     fmt::format("found '{}', expected a number, 'any', or the name of a buffer", text));
  return quoted(text);
}

/// One element, or a list of them.
std::string value_text(const std::string& flag, const std::string& text) {
  if (text.find(',') == std::string::npos) return element_text(flag, text);
  std::string list;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    list += (list.empty() ? "[" : ", ") + element_text(flag, text.substr(start, end - start));
    start = end + 1;
  }
  return list + "]";
}

/// The parts of `n=s32:5`; missing parts are empty.
struct NamedValue {
  std::string name, type, value;
};

NamedValue parts_of(const char* flag, const std::string& text, const char* expected) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(flag, text, expected);
  const std::size_t colon = std::min(text.find(':', equals), text.size());
  return {text.substr(0, equals), text.substr(equals + 1, colon - equals - 1),
          colon < text.size() ? text.substr(colon + 1) : ""};
}

/// `n=s32:5`, `x=f32[4]`, `x=s32[4]:0,1,2,3`, `y=s32[4]:any`.
std::string parameter_text(const std::string& text) {
  constexpr const char* expected =
      "NAME=TYPE:VALUE or NAME=TYPE[COUNT]:VALUES, such as n=s32:5 or x=f32[4]:0";
  const auto [name, type, value] = parts_of("--param", text, expected);
  std::string result = fmt::format("[[param]]\nname = {}\n", quoted(name));
  if (type.find('[') != std::string::npos) {
    result += fmt::format("buffer = {}\n", quoted(type));
    if (!value.empty()) result += fmt::format("init = {}\n", value_text("--param " + text, value));
  } else {
    if (value.empty()) refuse("--param", text, expected);
    result += fmt::format("type = {}\nvalue = {}\n", quoted(type), value_text("--param " + text, value));
  }
  return result;
}

/// `idx=s32[4]:any`: a variable of the module.
std::string variable_text(const std::string& text) {
  const auto [name, type, value] =
      parts_of("--variable", text, "NAME=TYPE[COUNT]:VALUES, such as table=s32[4]:any");
  std::string result = fmt::format("[[variable]]\nname = {}\ntype = {}\n", quoted(name), quoted(type));
  if (!value.empty()) result += fmt::format("init = {}\n", value_text("--variable " + text, value));
  return result;
}

/// The text of a launch file in which each line comes from a flag.
class FlagLines {
 public:
  void add(const std::string& flag, const std::string& text) {
    text_ += text;
    flags_.resize(static_cast<std::size_t>(std::ranges::count(text_, '\n')), flag);
  }

  kernel::Launch launch(const std::filesystem::path& module) const {
    const auto place_of = [this](SourcePosition where) {
      const std::size_t line = where.line == 0 ? 0 : where.line - 1;
      return kernel::LaunchPlace{flags_[std::min(line, flags_.size() - 1)]};
    };
    return kernel::parse_launch(text_, module, place_of);
  }

 private:
  std::string text_;
  std::vector<std::string> flags_;  // by line
};

/// A launch of a module, built from flags.
kernel::Launch launch_of_flags(const std::filesystem::path& module, const LaunchOptions& options) {
  FlagLines lines;
  lines.add(module.string(), fmt::format("module = {}\n", quoted(module.filename().string())));
  if (!options.entry.empty())
    lines.add("--entry " + options.entry, fmt::format("entry = {}\n", quoted(options.entry)));
  lines.add("--grid", "grid = [1]\n");
  lines.add("--block", "block = [1]\n");
  for (const std::string& parameter : options.parameters)
    lines.add("--param " + parameter, parameter_text(parameter));
  for (const std::string& variable : options.variables)
    lines.add("--variable " + variable, variable_text(variable));
  return lines.launch(module);
}

/// A number of bytes, or an expression as `dynamic_shared` of a launch file has it.
void set_dynamic_shared(const std::string& text, kernel::GridSize& size) {
  size.dynamic_shared_where = {"--dynamic-shared"};
  size.dynamic_shared_length = text;
  std::uint32_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, bytes);
  if (stop != end) return;
  if (error != std::errc() || bytes > kernel::most_dynamic_shared)
    throw InputError("--dynamic-shared", {},
                     fmt::format("found {}, expected 0 to {}", text, kernel::most_dynamic_shared));
  size.dynamic_shared = bytes;
  size.dynamic_shared_length.clear();
}

/// The same for each kernel of a launch.
void set_dynamic_shared(const std::string& text, kernel::Launch& launch) {
  for (kernel::GridSize& size : launch.sequence) set_dynamic_shared(text, size);
  set_dynamic_shared(text, static_cast<kernel::GridSize&>(launch));
}

/// CLI11 itself would take an empty value for none.
void add_size(CLI::App& command, const char* flag, std::optional<std::string>& size,
              const char* description) {
  command
      .add_option_function<std::string>(
          flag, [&size](const std::string& text) { size = text; }, description)
      ->type_name("SIZE");
}

}  // namespace

void add_entry_option(CLI::App& command, std::string& entry) {
  command
      .add_option("--entry", entry,
                  "the kernel: its name in PTX or in C++, or a part of one that no other kernel has; not "
                  "needed for a module with one kernel")
      ->type_name("NAME");
}

void add_launch_files(CLI::App& command, std::vector<std::string>& paths) {
  command
      .add_option("file", paths,
                  "launch files, folders of launch files, or a module and flags that say how to launch it")
      ->required()
      ->type_name("LAUNCH.toml|DIR|MODULE.ptx");
}

void add_launch_options(CLI::App& command, LaunchOptions& options) {
  command.add_option("--module", options.module, "another PTX module than the launch file says")
      ->type_name("FILE.ptx");
  add_entry_option(command, options.entry);
  add_size(command, "--grid", options.grid,
           "CTAs: X, X,Y or X,Y,Z; A..B checks each number, `any` all sizes");
  add_size(command, "--block", options.block, "threads of a CTA, in the same form");
  add_size(command, "--cluster", options.cluster, "CTAs of a cluster: X, X,Y or X,Y,Z");
  command
      .add_option("--dynamic-shared", options.dynamic_shared,
                  "bytes of dynamic shared memory: a number, or an expression such as \"4 * block.x\"")
      ->type_name("BYTES");
  command
      .add_option("--param", options.parameters,
                  "a parameter, in order, where there is no launch file: n=s32:5, n=s32:any, x=f32[4]:0, "
                  "x=s32[2]:1,2, x=s32[4]:any, x=s32[4]")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("NAME=TYPE:VALUE");
  command
      .add_option("--variable", options.variables,
                  "what a variable of the module holds, where there is no launch file: table=s32[4]:any, "
                  "limit=u32:7, rows=b64[2]:x,y")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false)
      ->type_name("NAME=TYPE:VALUES");
  command.add_option("--assume", options.assumption, "a condition over parameters: \"n > 0 && n <= 8\"")
      ->type_name("CONDITION");
  command
      .add_option("--final", options.final_condition,
                  "a condition over buffers when all threads have ended: \"counter[0] == 2\"")
      ->type_name("CONDITION");
}

std::vector<kernel::Launch> launches_of(const std::string& file, const LaunchOptions& options) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw InputError(file, {}, "found a folder, expected launch files (*.toml) in it");
  const bool is_module = std::filesystem::path(file).extension() == ".ptx";
  kernel::Launch launch = is_module ? launch_of_flags(file, options) : kernel::read_launch(file);
  if (!is_module && !options.parameters.empty())
    throw InputError("--param", {}, "found it with a launch file, expected a module or no --param");
  if (!is_module && !options.variables.empty())
    throw InputError("--variable", {}, "found it with a launch file, expected a module or no --variable");
  if (!options.module.empty()) {
    launch.module = options.module;
    launch.module_where = {"--module " + options.module};
  }
  if (!options.entry.empty()) {
    launch.entries = kernel::entries_in(options.entry);
    launch.entry_where = {"--entry " + options.entry};
  }
  if (!options.dynamic_shared.empty()) set_dynamic_shared(options.dynamic_shared, launch);
  if (options.cluster) {
    const auto clusters = sizes("--cluster", *options.cluster);
    if (clusters.size() > 1 || clusters.front().open != kernel::OpenDimensions{})
      refuse("--cluster", *options.cluster, "one size, such as 4 or 4,2,1");
    launch.cluster = clusters.front().extents;
    launch.cluster_where = {"--cluster " + *options.cluster};
  }
  const std::pair<const char*, bool> of_one_kernel[] = {{"--entry", !options.entry.empty()},
                                                        {"--grid", options.grid.has_value()},
                                                        {"--block", options.block.has_value()},
                                                        {"--cluster", options.cluster.has_value()}};
  for (const auto& [flag, is_given] : of_one_kernel)
    if (is_given && !launch.sequence.empty())
      throw InputError(flag, {},
                       "found it with a sequence of kernels ([[launch]]), expected it in the launch file");
  if (options.grid) launch.grid_where = {"--grid " + *options.grid};
  if (options.block) launch.block_where = {"--block " + *options.block};
  if (!options.assumption.empty()) {
    launch.assumption = options.assumption;
    launch.assumption_where = {"--assume"};
  }
  if (!options.final_condition.empty()) {
    launch.final_condition = options.final_condition;
    launch.final_where = {"--final"};
  }
  const auto grids =
      options.grid ? sizes("--grid", *options.grid) : std::vector{Size{launch.grid, launch.open_grid}};
  const auto blocks =
      options.block ? sizes("--block", *options.block) : std::vector{Size{launch.block, launch.open_block}};
  std::vector<kernel::Launch> result;
  for (const Size& grid : grids)
    for (const Size& block : blocks) {
      if (kernel::volume(block.extents) > 1024)
        refuse("--block", options.block.value_or(""), "at most 1024 threads in a block");
      launch.grid = grid.extents;
      launch.open_grid = grid.open;
      launch.block = block.extents;
      launch.open_block = block.open;
      result.push_back(launch);
    }
  return result;
}

std::string name_of(const kernel::Launch& launch, bool is_one_of_many) {
  if (!is_one_of_many) return launch.file.string();
  return fmt::format("{} <<<{}, {}>>>", launch.file.string(),
                     kernel::size_text(launch.grid, launch.open_grid),
                     kernel::size_text(launch.block, launch.open_block));
}

}  // namespace ptxmc
