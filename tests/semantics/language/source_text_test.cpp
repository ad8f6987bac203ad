#include "semantics/language/source_text.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("positions count lines and columns from 1") {
  const SourceText text("a.litmus", "ab\n\ncd");
  const auto at = [&](std::size_t offset) {
    const auto position = text.position(offset);
    return std::pair(position.line, position.column);
  };
  CHECK(at(0) == std::pair(1u, 1u));
  CHECK(at(2) == std::pair(1u, 3u));
  CHECK(at(3) == std::pair(2u, 1u));
  CHECK(at(5) == std::pair(3u, 2u));
  CHECK(at(6) == std::pair(3u, 3u));
  CHECK(SourceText("", "").position(0).line == 1);
}

TEST_CASE("what was found is a word, a symbol, a byte or the end") {
  const SourceText text("", "ld.weak {\x01\n" + std::string(50, 'x'));
  CHECK(text.found(0) == "'ld.weak'");
  CHECK(text.found(8) == "'{'");
  CHECK(text.found(9) == "byte 0x01");
  CHECK(text.found(10) == "end of line");
  CHECK(text.found(11) == "'" + std::string(40, 'x') + "…'");
  CHECK(text.found(61) == "end of file");
}

TEST_CASE("an error says what was found, what was expected, and where") {
  const auto error = SourceText("b.cat", "\n let").expected(2, "'acyclic'");
  CHECK(error.file == "b.cat");
  CHECK(error.where.line == 2);
  CHECK(error.where.column == 2);
  CHECK(std::string(error.what()) == "found 'let', expected 'acyclic'");
}

TEST_CASE("positions in a text made from another one are those there") {
  const SourceText original("a.test", "ld $0\n$$\n[x]");
  const SourceText made(original, "ld [x]", {0, 1, 2, 9, 10, 11, 5});
  CHECK(made.position(0).line == 1);
  CHECK(made.position(3).line == 3);
  CHECK(made.position(3).column == 1);
  CHECK(made.position(6).line == 1);
  CHECK(made.position(6).column == 6);
  CHECK(made.found(3) == "'['");
  CHECK(made.expected(4, "'y'").where.column == 2);
}
