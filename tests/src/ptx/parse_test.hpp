#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "src/ptx/check.hpp"
#include "src/ptx/parse.hpp"

/// Functions that the tests of the PTX front end share.
namespace ptxmc::syntax {

inline std::shared_ptr<const SourceText> source(std::string text) {
  return std::make_shared<const SourceText>("test.ptx", std::move(text));
}

inline std::string read_test_module(const std::string& name) {
  std::ifstream in(std::string(PTXMC_SOURCE_DIR) + "/tests/src/ptx/modules/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// `line:column: message` of every diagnostic.
inline std::string listing(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    text += std::to_string(diagnostic.where.line) + ":" + std::to_string(diagnostic.where.column) + ": " +
            diagnostic.message + "\n";
  return text;
}

/// The diagnostics of the parser for a text.
inline std::string parse_errors(const std::string& text) {
  Diagnostics diagnostics;
  parse(source(text), diagnostics);
  return listing(diagnostics);
}

/// The diagnostics for a module that is parsed and checked.
inline std::string errors(const std::string& text) {
  Diagnostics diagnostics;
  read_module(source(text), ptx(), diagnostics);
  return listing(diagnostics);
}

/// The first three lines of a module.
inline const std::string head = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// The diagnostics for statements at module scope, the first of which is in line 4.
inline std::string module_errors(const std::string& text) { return errors(head + text + "\n"); }

}  // namespace ptxmc::syntax
