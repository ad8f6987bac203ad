#pragma once

#include <string>
#include <vector>

#include "model/program/program.hpp"
#include "model/program/proposition.hpp"
#include "src/litmus/property.hpp"

namespace ptxmc {

/// An expectation in a comment of a test file about its answer under a model: `expect MODEL WORD`, with a
/// word of litmus_properties() or `unknown`.
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

/// The language of a test's threads.
enum class Language {
  ptx,
  cpp,  ///< scoped C++: a data race is undefined behaviour
};

/// A litmus test, read and resolved.
struct LitmusTest {
  Language language = Language::ptx;
  std::string file;
  std::string name;                        ///< of the header `PTX name` or `C name`
  std::vector<std::string> documentation;  ///< the quoted strings below it, as written
  Program program;
  Question question;
  bool only_asks = false;  ///< both answers are correct
  std::vector<Expectation> expectations;
  std::vector<std::string> sources;  ///< `source …` lines: where the expectations come from
  std::vector<Warning> warnings;     ///< in the order of their places
};

}  // namespace ptxmc
