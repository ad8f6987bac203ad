#include "src/litmus/comments.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

UncommentedText uncommented(std::string text) {
  return remove_comments(SourceText("t.litmus", std::move(text)));
}

}  // namespace

TEST_CASE("comments become blanks, so that places stay") {
  CHECK(uncommented("a (* b *) c").text.text() == "a         c");
  CHECK(uncommented("a (* b\nc *) d").text.text() == "a     \n     d");
  CHECK(uncommented("(* (* nested *) *)x").text.text() == std::string(18, ' ') + "x");
  CHECK(uncommented("(**)x").text.text() == "    x");
}

TEST_CASE("inside quotes nothing begins a comment, inside comments nothing begins a string") {
  CHECK(uncommented("\"a (* b\" c").text.text() == "\"a (* b\" c");
  CHECK(uncommented("(* \" *)c").text.text() == "       c");
}

TEST_CASE("comments say what is expected, and from where") {
  const UncommentedText text = uncommented(
      "(* expect ptx-6.4 forbidden\n"
      "   expect ptx-8.7 no race\n"
      "     expect   ptx-8.7   hangs  \r\n"
      "   source PTX ISA 8.7 § 8.9.3: \"causality\"\n"
      "   We expect nothing else. *)\n"
      "x (*expect sc allowed*)");
  using Property = LitmusProperty;
  const std::vector<Expectation> expected = {{"ptx-6.4", Property::condition, "forbidden", {}},
                                             {"ptx-8.7", Property::race, "no race", {}},
                                             {"ptx-8.7", Property::termination, "hangs", {}},
                                             {"sc", Property::condition, "allowed", {}}};
  CHECK(text.expectations == expected);
  CHECK(text.expectations[1].where.line == 2);
  CHECK(text.expectations[1].where.column == 11);
  CHECK(text.sources == std::vector<std::string>{"PTX ISA 8.7 § 8.9.3: \"causality\""});
}
