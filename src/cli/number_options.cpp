#include "src/cli/number_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc {

namespace {

/// Parses the whole text as a number; empty if it is not one.
template <class Number>
bool read_number(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && last == end;
}

/// `--jobs` of `--jobs,-j`.
std::string option_name(const std::string& flag) { return flag.substr(0, flag.find(',')); }

}  // namespace

std::uint64_t whole_number(const std::string& flag, const std::string& text, WholeNumbers allowed) {
  std::uint64_t number = 0;
  if (!read_number(text, number) || number < allowed.lowest || number > allowed.highest)
    throw InputError(flag, {},
                     fmt::format("found '{}', expected a whole number from {} to {}", text, allowed.lowest,
                                 allowed.highest));
  return number;
}

double seconds_number(const std::string& flag, const std::string& text) {
  constexpr double highest = 1'000'000'000;
  double number = 0;
  const bool is_number = read_number(text, number);
  if (!is_number || !(number >= 0 && number <= highest))  // also false for NaN
    throw InputError(flag, {},
                     fmt::format("found '{}', expected seconds: a number from 0 to {:.0f}", text, highest));
  return number;
}

CLI::Option* add_whole_number(CLI::App& command, const std::string& flag, WholeNumbers allowed,
                              std::function<void(std::uint64_t)> set, const std::string& description) {
  return command
      .add_option_function<std::string>(
          flag,
          [name = option_name(flag), allowed, set = std::move(set)](const std::string& text) {
            set(whole_number(name, text, allowed));
          },
          description)
      ->type_name("N");
}

CLI::Option* add_seconds(CLI::App& command, const std::string& flag, double& seconds,
                         const std::string& description) {
  return command
      .add_option_function<std::string>(
          flag,
          [name = option_name(flag), &seconds](const std::string& text) {
            seconds = seconds_number(name, text);
          },
          description)
      ->type_name("S");
}

}  // namespace ptxmc
