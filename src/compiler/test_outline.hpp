#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/litmus/resolved_test.hpp"

namespace ptxmc {

/// An instruction of PTX, or a statement of C++. A statement with a body has its beginning as text:
/// `if (r0 == 1)`, `while (…)`, `do`.
struct OutlineStatement {
  std::string label;  ///< "Done:" before an instruction; an instruction may be empty then
  std::string text;
  bool has_body = false;
  std::vector<OutlineStatement> body;
  std::vector<OutlineStatement> otherwise;  ///< behind `else`
  std::string end;                          ///< of `do`: `while (…);`

  friend bool operator==(const OutlineStatement&, const OutlineStatement&) = default;
};

using OutlineCode = std::vector<OutlineStatement>;

struct OutlineThread {
  std::string name;                     ///< "P0"
  std::string header;                   ///< "P0@cta 0,gpu 0"
  std::vector<std::string> parameters;  ///< of C++: "atomic_int* x"
  OutlineCode code;
};

/// The text of a litmus test in parts, which may be left out one by one. Comments, quoted strings and the
/// condition are not among them.
struct TestOutline {
  Language language = Language::ptx;
  std::string name;
  std::vector<std::string> initial;  ///< "x = 0"
  std::vector<OutlineThread> threads;
};

/// Throws InputError as parse_litmus does, and Unsupported for a test with a filter.
TestOutline outline_of(std::string_view text, const std::string& file);

/// The text of a litmus test with these parts. Its condition is `exists (true)`.
std::string text_of(const TestOutline&);

/// The code of a litmus test of PTX: a header and instructions for each thread, in columns of equal width.
std::string rows_text(std::vector<std::vector<std::string>> columns);

/// The name that an entry of the initial state, or a parameter, declares: `x` of "x : u32 = 0".
std::string declared_name(std::string_view entry);

}  // namespace ptxmc
