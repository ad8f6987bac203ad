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

/// A decimal number as a flag has it. Throws InputError naming the flag: what was found, what was expected.
std::uint64_t whole_number(const std::string& flag, const std::string& text, WholeNumbers);

/// Seconds, perhaps with a fraction or an exponent; 0 is allowed. Throws InputError.
double seconds_number(const std::string& flag, const std::string& text);

/// Declares a flag with such a number, which is stored by `set`.
CLI::Option* add_whole_number(CLI::App&, const std::string& flag, WholeNumbers,
                              std::function<void(std::uint64_t)> set, const std::string& description);
CLI::Option* add_seconds(CLI::App&, const std::string& flag, double& seconds, const std::string& description);

}  // namespace ptxmc
