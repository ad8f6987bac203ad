#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "src/litmus/property.hpp"

namespace ptxmc {

/// An expectation in a comment of a test file about its answer under a model: `expect MODEL WORD`, with a word
/// of litmus_properties() or `unknown`.
struct Expectation {
  std::string model;  ///< "ptx-8.7"
  LitmusProperty property = LitmusProperty::condition;
  std::string word;  ///< "allowed", "no race", …
  SourcePosition where;

  friend bool operator==(const Expectation& a, const Expectation& b) {
    return a.model == b.model && a.property == b.property && a.word == b.word;
  }
};

/// Something in a test that is correct and probably not intended.
struct Warning {
  SourcePosition where;
  std::string message;
};

/// A litmus test, read and resolved.
struct LitmusTest {
  std::string file;
  std::string name;                        ///< of the header `PTX name`
  std::vector<std::string> documentation;  ///< the quoted strings below it, as written
  Program program;
  Question question;
  bool only_asks = false;  ///< both answers are correct
  std::vector<Expectation> expectations;
  std::vector<std::string> sources;  ///< `source …` lines: where the expectations come from
  std::vector<Warning> warnings;     ///< in the order of their places
};

/// Reads a test in the PTX dialect of herd's litmus format (docs/litmus-format.md).
/// Throws InputErrors with all mistakes, and InputError when the file cannot be read.
LitmusTest read_litmus(const std::filesystem::path& path);

/// The tests in a file: possibly several in a file of NVIDIA's mixed-proxy tool (`.test`), otherwise one. `-`
/// is standard input.
std::vector<LitmusTest> read_tests(const std::filesystem::path& path);

/// The same as read_litmus for a text; messages contain `file`.
LitmusTest parse_litmus(std::string_view text, const std::string& file);

}  // namespace ptxmc
