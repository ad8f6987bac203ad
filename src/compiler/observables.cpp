#include "src/compiler/observables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {
namespace {

constexpr std::string_view blanks = " \t\n";

/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || std::string_view("_$%.:[]-").find(c) != std::string_view::npos;
  });
}

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<FinalTerm> register_called(const Program& program, std::string_view thread,
                                         std::string_view name) {
  const std::string wanted = (thread.starts_with("P") ? "" : "P") + std::string(thread);
  const auto owner = std::ranges::find(program.threads, wanted, &Thread::name);
  if (owner == program.threads.end()) return std::nullopt;
  const auto& names = owner->register_names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return FinalTerm{.kind = FinalTerm::Kind::thread_register,
                   .thread = static_cast<int>(owner - program.threads.begin()),
                   .register_id = static_cast<RegisterId>(found - names.begin())};
}

std::optional<FinalTerm> element_called(const Program& program, std::string_view name,
                                        std::uint32_t element) {
  const auto found = std::ranges::find(program.memory, name, &Variable::name);
  if (found == program.memory.end() || element >= found->initial.size()) return std::nullopt;
  return FinalTerm{.kind = FinalTerm::Kind::memory,
                   .variable = static_cast<int>(found - program.memory.begin()),
                   .element = static_cast<int>(element)};
}

/// The registers that a test can name, with the numbers of their threads: "1:r0".
std::vector<std::string> registers_of(const Program& program) {
  std::vector<std::string> result;
  for (const Thread& thread : program.threads)
    for (std::size_t i = 0; i < thread.register_names.size(); ++i) {
      const std::string& name = thread.register_names[i];
      const bool is_named = is_name(name) && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
      if (!is_named || thread.initial_registers[i].width() == 1) continue;
      const std::string number = thread.name.starts_with("P") ? thread.name.substr(1) : thread.name;
      result.push_back(number + ":" + name);
    }
  return result;
}

/// The locations of a variable: "x", or "a[0]", "a[1]", …
std::vector<std::string> elements_of(const Variable& variable) {
  if (variable.initial.size() == 1) return {variable.name};
  std::vector<std::string> result;
  for (std::size_t i = 0; i < variable.initial.size(); ++i)
    result.push_back(fmt::format("{}[{}]", variable.name, i));
  return result;
}

std::vector<std::string> locations_of(const Program& program) {
  std::vector<std::string> result;
  for (const Variable& variable : program.memory)
    if (!variable.is_mbarrier && variable.proxy == Proxy::generic)
      for (std::string& name : elements_of(variable)) result.push_back(std::move(name));
  return result;
}

}  // namespace

std::vector<Observable> parse_observables(std::string_view text, const std::string& file,
                                          SourcePosition start) {
  std::vector<Observable> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view item = trimmed(text.substr(begin, end - begin));
    const std::size_t equals = item.find('=');
    const std::string_view source = trimmed(item.substr(0, equals));
    const std::string_view target =
        equals == std::string_view::npos ? source : trimmed(item.substr(equals + 1));
    const SourcePosition where = {start.line, start.column + static_cast<std::uint32_t>(begin)};
    const bool is_last_and_empty = item.empty() && end == text.size() && !result.empty();
    if (!is_last_and_empty && (!is_name(source) || !is_name(target)))
      throw InputError(file, where,
                       fmt::format("found '{}', expected a name of the source, or NAME=NAME with that of the "
                                   "target, as in `1:r0=out[3]`",
                                   item));
    if (std::ranges::find(result, source, &Observable::source) != result.end())
      throw InputError(file, where,
                       fmt::format("found a second `{}`, expected each name of the source once", source));
    if (!is_last_and_empty) result.push_back({std::string(source), std::string(target), where});
    begin = end + 1;
  }
  return result;
}

std::optional<FinalTerm> term_called(const Program& program, std::string_view name) {
  if (name.starts_with("[") && name.ends_with("]")) name = name.substr(1, name.size() - 2);
  if (auto location = element_called(program, name, 0)) return location;  // also `cta0:x`
  if (const std::size_t bracket = name.find('['); bracket != std::string_view::npos && name.ends_with("]")) {
    const auto element = number_in(name.substr(bracket + 1, name.size() - bracket - 2));
    return element ? element_called(program, name.substr(0, bracket), *element) : std::nullopt;
  }
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return register_called(program, name.substr(0, colon), name.substr(colon + 1));
}

SharedObservables shared_observables(const Program& source, const Program& target,
                                     const std::string& target_file) {
  SharedObservables result;
  const auto add_shared = [&](const std::vector<std::string>& names, const std::vector<std::string>& others) {
    const std::set<std::string> known(others.begin(), others.end());
    std::vector<std::string> missing;
    for (const std::string& name : names)
      if (known.contains(name))
        result.observables.push_back({name, name});
      else
        missing.push_back(name);
    return missing;
  };
  const auto source_registers = registers_of(source), target_registers = registers_of(target);
  const auto source_locations = locations_of(source), target_locations = locations_of(target);
  std::vector<std::string> only_source = add_shared(source_registers, target_registers);
  for (std::string& name : add_shared(source_locations, target_locations))
    only_source.push_back(std::move(name));
  for (const std::string& name : target_locations)
    if (std::ranges::find(source_locations, name) == source_locations.end())
      throw InputError(target_file, {},
                       fmt::format("found the location `{}`, which the source does not have, expected "
                                   "--observe with the names to compare",
                                   name));
  std::vector<std::string> only_target;
  for (const std::string& name : target_registers)
    if (std::ranges::find(source_registers, name) == source_registers.end()) only_target.push_back(name);
  if (!only_source.empty())
    result.left_out.push_back(fmt::format("only in the source: {}", fmt::join(only_source, ", ")));
  if (!only_target.empty())
    result.left_out.push_back(fmt::format("only in the target: {}", fmt::join(only_target, ", ")));
  return result;
}

unsigned width_of(const FinalTerm& term, const Program& program) {
  if (term.kind == FinalTerm::Kind::thread_register)
    return program.threads[static_cast<std::size_t>(term.thread)].initial_registers[term.register_id].width();
  return program.memory[static_cast<std::size_t>(term.variable)].element_size * 8;
}

std::int64_t canonical_value(std::int64_t value, unsigned width) {
  if (width == 0 || width >= 64) return value;
  const std::int64_t modulus = std::int64_t{1} << width;
  if (value < -(modulus / 2) || value >= modulus) return value;
  return value >= modulus / 2 ? value - modulus : value;
}

}  // namespace ptxmc
