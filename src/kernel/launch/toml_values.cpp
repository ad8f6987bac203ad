#include "src/kernel/launch/toml_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc::kernel {

LaunchPlace TomlValues::place(const toml::source_region& region) const {
  return place_of_(
      {static_cast<std::uint32_t>(region.begin.line), static_cast<std::uint32_t>(region.begin.column)});
}

void TomlValues::fail(const toml::source_region& region, const std::string& message) const {
  const LaunchPlace at = place(region);
  throw InputError(at.file, at.where, message);
}
void TomlValues::fail(const toml::node& node, const std::string& message) const {
  fail(node.source(), message);
}

void TomlValues::check_keys(const toml::table& table, std::initializer_list<std::string_view> known) const {
  for (const auto& [key, value] : table)
    if (std::ranges::find(known, std::string_view(key.str())) == known.end())
      fail(key.source(),
           fmt::format("found key '{}', expected one of {}", key.str(), fmt::join(known, ", ")));
}

const toml::node& TomlValues::required(const toml::table& table, std::string_view key) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) fail(table, fmt::format("found no '{}', expected it", key));
  return *node;
}

std::string TomlValues::kind_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (node.is_array()) return "a list";
  return node.is_table() ? "a table" : "a date or time";
}

std::string TomlValues::string(const toml::node& node) const {
  if (!node.is_string()) fail(node, "found another value, expected a string");
  return node.as_string()->get();
}
std::string TomlValues::string(const toml::table& table, std::string_view key) const {
  return string(required(table, key));
}

bool TomlValues::boolean(const toml::node& node) const {
  if (!node.is_boolean()) fail(node, "found another value, expected true or false");
  return node.as_boolean()->get();
}

std::int64_t TomlValues::integer(const toml::node& node, std::int64_t lowest, std::int64_t highest) const {
  if (!node.is_integer()) fail(node, fmt::format("found {}, expected an integer", kind_of(node)));
  const std::int64_t value = node.as_integer()->get();
  if (value < lowest || value > highest)
    fail(node, fmt::format("found {}, expected {} to {}", value, lowest, highest));
  return value;
}

const toml::array& TomlValues::array(const toml::node& node) const {
  if (!node.is_array()) fail(node, "found another value, expected an array");
  return *node.as_array();
}

std::vector<std::uint64_t> TomlValues::integers(const toml::node& node, std::size_t count,
                                                std::int64_t lowest, std::int64_t highest) const {
  if (array(node).size() != count)
    fail(node, fmt::format("found {} numbers, expected {}", array(node).size(), count));
  std::vector<std::uint64_t> result;
  for (const toml::node& number : array(node))
    result.push_back(static_cast<std::uint64_t>(integer(number, lowest, highest)));
  return result;
}

std::uint64_t TomlValues::choice(const toml::table& table, std::string_view key,
                                 std::span<const std::string_view> words) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return 0;
  const auto found = std::ranges::find(words, string(*node));
  if (found == words.end())
    fail(*node, fmt::format("found \"{}\", expected one of {}", string(*node), fmt::join(words, ", ")));
  return static_cast<std::uint64_t>(found - words.begin());
}

}  // namespace ptxmc::kernel
