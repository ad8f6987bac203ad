#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// Maps a position in the text of a launch to the place that messages name.
using PlaceOf = std::function<LaunchPlace(SourcePosition)>;

/// Reads values of a TOML text. Every function throws InputError with the position of a value that is not as
/// expected.
class TomlValues {
 public:
  explicit TomlValues(PlaceOf place_of) : place_of_(std::move(place_of)) {}

  LaunchPlace place(const toml::source_region&) const;
  [[noreturn]] void fail(const toml::source_region&, const std::string& message) const;
  [[noreturn]] void fail(const toml::node&, const std::string& message) const;

  void check_keys(const toml::table&, std::initializer_list<std::string_view> known) const;
  const toml::node& required(const toml::table&, std::string_view key) const;
  /// The value as a message shows it.
  static std::string kind_of(const toml::node&);

  std::string string(const toml::node&) const;
  std::string string(const toml::table&, std::string_view key) const;
  bool boolean(const toml::node&) const;
  std::int64_t integer(const toml::node&, std::int64_t lowest, std::int64_t highest) const;
  const toml::array& array(const toml::node&) const;
  /// A list of `count` integers from 0 up.
  std::vector<std::uint64_t> integers(const toml::node&, std::size_t count, std::int64_t lowest,
                                      std::int64_t highest) const;
  /// The index in `words` of the string with this key; 0 if the key is missing.
  std::uint64_t choice(const toml::table&, std::string_view key,
                       std::span<const std::string_view> words) const;

 private:
  PlaceOf place_of_;
};

}  // namespace ptxmc::kernel
