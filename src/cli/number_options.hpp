#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ptxmc {

/// The numbers that a flag may have.
struct WholeNumbers {
  std::uint64_t lowest = 0;
  std::uint64_t highest = ~std::uint64_t{0};
};

/// Parses the decimal number of a flag. Throws InputError with the flag, what was found and what was
/// expected.
std::uint64_t whole_number(const std::string& flag, const std::string& text, WholeNumbers);

/// Parses a number of seconds, with an optional fraction or exponent; 0 is allowed. Throws InputError.
double seconds_number(const std::string& flag, const std::string& text);

/// Declares a flag with such a number; `set` stores the number.
CLI::Option* add_whole_number(CLI::App&, const std::string& flag, WholeNumbers,
                              std::function<void(std::uint64_t)> set, const std::string& description);
CLI::Option* add_seconds(CLI::App&, const std::string& flag, double& seconds, const std::string& description);

}  // namespace ptxmc
