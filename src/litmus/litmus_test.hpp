#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// Reads a test in the PTX dialect of herd's litmus format, or in scoped C++ (docs/litmus-format.md).
/// Throws InputErrors with all mistakes, and InputError when the file cannot be read.
LitmusTest read_litmus(const std::filesystem::path& path);

/// The tests in a file: possibly several in a file of NVIDIA's mixed-proxy tool (`.test`), otherwise one. `-`
/// is standard input.
std::vector<LitmusTest> read_tests(const std::filesystem::path& path);

/// The text of a file of tests, without a byte order mark. Throws InputError when it cannot be read.
std::string text_of_tests(const std::filesystem::path&);
/// The same as read_tests for the text of this file.
std::vector<LitmusTest> parse_tests(std::string_view text, const std::filesystem::path&);

/// The same as read_litmus for a text; messages contain `file`.
LitmusTest parse_litmus(std::string_view text, const std::string& file);

}  // namespace ptxmc
