#include "semantics/language/visible_text.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

TEST_CASE("text that a terminal shows as it is stays") {
  CHECK(visible("ld.global.u32 %r1, [x]; // größer → 漢字 𝄞\n\tnext\n") ==
        "ld.global.u32 %r1, [x]; // größer → 漢字 𝄞\n\tnext\n");
  CHECK(visible("") == "");
}

TEST_CASE("control characters are written out") {
  CHECK(visible("a\x1b[31mred") == "a\\x1b[31mred");
  CHECK(visible("over\rwritten\a\b\x7f") == "over\\rwritten\\x07\\x08\\x7f");
  CHECK(visible(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(visible("\xc2\x9b"
                "31m") == "\\u009b31m");  // CSI of C1
}

TEST_CASE("characters that change the direction or break the line are written out") {
  CHECK(visible("\u202ebackwards\u202c") == "\\u202ebackwards\\u202c");
  CHECK(visible("\u2066x\u2069\u200f\u061c") == "\\u2066x\\u2069\\u200f\\u061c");
  CHECK(visible("a\u2028b") == "a\\u2028b");
}

TEST_CASE("bytes that are no UTF-8 are written out") {
  CHECK(visible("a\xff"
                "b") == "a\\xffb");
  CHECK(visible("\xc0\x8a") == "\\xc0\\x8a");                    // a line's end in two bytes
  CHECK(visible("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half of a surrogate pair
  CHECK(visible("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
  CHECK(visible("\xe2\x82") == "\\xe2\\x82");                    // cut off
}

TEST_CASE("a name in a line holds no line's end") {
  CHECK(visible_line("a\nb\tc") == "a\\nb\\tc");
  CHECK(visible_line("größer") == "größer");
}

TEST_CASE("the caret stands below its column as the line is shown") {
  CHECK(marked_line("\tst.week x, 1", 4) == "  \tst.week x, 1\n  \t  ^\n");
  CHECK(marked_line("ä = 1\r", 4) == "  ä = 1\n    ^\n");  // a column is a byte
  CHECK(marked_line("\x1b[2J x", 6) == "  \\x1b[2J x\n          ^\n");
  CHECK(marked_line("", 1) == "");
  CHECK(marked_line(" \t", 1) == "");
  CHECK(marked_line("short", 9) == "");
  CHECK(marked_line(std::string(201, 'x'), 1) == "");
}
