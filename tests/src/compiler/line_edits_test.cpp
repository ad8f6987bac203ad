#include "src/compiler/line_edits.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

const std::string lines = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n";

}  // namespace

TEST_CASE("edited texts") {
  CHECK(with_edits(lines, {}) == lines);
  CHECK(with_edits("a\nb\nc\n", {{1, {"A"}}, {2, {}}, {3, {"x", "c"}}}) == "A\nx\nc\n");
  CHECK(with_edits("a\nb", {{2, {"B"}}}) == "a\nB");  // no line end at the end of the file
  CHECK(lines_of("a\n\nb") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("where a line is behind edits") {
  const std::vector<LineEdit> edits = {{2, {"fence;", "b"}}, {4, {}}, {6, {"x", "y", "f"}}};
  CHECK(moved_line(1, edits) == 1);
  CHECK(moved_line(2, edits) == 3);
  CHECK(moved_line(3, edits) == 4);
  CHECK(moved_line(5, edits) == 5);
  CHECK(moved_line(6, edits) == 8);
  CHECK(moved_line(7, edits) == 9);
  for (const std::uint32_t line : {2, 6, 7})
    CHECK(lines_of(with_edits(lines, edits)).at(moved_line(line, edits) - 1) == lines_of(lines).at(line - 1));
}

TEST_CASE("a unified diff") {
  CHECK(unified_diff(lines, {}, "f").empty());
  CHECK(unified_diff(lines, {{2, {"B"}}, {3, {"C"}}}, "f") ==
        "--- f\n+++ f\n@@ -1,6 +1,6 @@\n a\n-b\n-c\n+B\n+C\n d\n e\n f\n");
  CHECK(unified_diff(lines, {{5, {"x", "e"}}}, "f") ==
        "--- f\n+++ f\n@@ -2,6 +2,7 @@\n b\n c\n d\n+x\n e\n f\n g\n");
  CHECK(unified_diff(lines, {{1, {}}, {12, {"L"}}}, "f") ==
        "--- f\n+++ f\n@@ -1,4 +1,3 @@\n-a\n b\n c\n d\n@@ -9,4 +8,4 @@\n i\n j\n k\n-l\n+L\n");
}
