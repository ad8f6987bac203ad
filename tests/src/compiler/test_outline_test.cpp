#include "src/compiler/test_outline.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

TEST_CASE("the outline of a test of PTX has its threads, labels and instructions") {
  const TestOutline outline = outline_of(
      "PTX t (* a comment | *)\n\"a { string\"\n{ x : u32 = 0; a : u32[2] = {1, 2}; P2:r1 = 3; }\n"
      " P0@cta 0,gpu 0 | P2 ;\n A: B: ld.weak r0, x | ;\n bne r0, 1, A | st.weak x,   1 ;\n End: | ;\n"
      "exists (P0:r0=1)\n",
      "t");
  CHECK(outline.name == "t");
  CHECK(outline.initial == std::vector<std::string>{"x : u32 = 0", "a : u32[2] = {1, 2}", "P2:r1 = 3"});
  REQUIRE(outline.threads.size() == 2);
  const OutlineThread& first = outline.threads[0];
  CHECK(first.header == "P0@cta 0,gpu 0");
  REQUIRE(first.code.size() == 4);
  CHECK(first.code[0].label == "A:");
  CHECK(first.code[0].text.empty());
  CHECK(first.code[1].label == "B:");
  CHECK(first.code[1].text == "ld.weak r0, x");
  CHECK(first.code[3].label == "End:");
  CHECK(outline.threads[1].name == "P2");
  CHECK(outline.threads[1].code.at(0).text == "st.weak x, 1");
}

TEST_CASE("the outline of a test of C++ has the statements inside others") {
  const TestOutline outline = outline_of(
      "C t\n{ x = 0; }\n"
      "P0@cta 0,gpu 1 (int* x, cuda::atomic<int, cuda::thread_scope_device>* y) {\n"
      "  int r0 = 0; // comment\n"
      "  for (int i = 0; i < 2; ++i) r0 += *x;\n"
      "  if (r0 == 1) { *x = 1; *x = 2; } else if (r0 == 2) *x = 3;\n"
      "  do { r0 = y->load(); } while (r0 == 0);\n"
      "}\nexists (0:r0=1)\n",
      "t");
  REQUIRE(outline.threads.size() == 1);
  const OutlineThread& thread = outline.threads[0];
  CHECK(thread.parameters ==
        std::vector<std::string>{"int* x", "cuda::atomic<int, cuda::thread_scope_device>* y"});
  REQUIRE(thread.code.size() == 4);
  CHECK(thread.code[1].text == "for (int i = 0; i < 2; ++i)");
  CHECK(thread.code[1].body.at(0).text == "r0 += *x;");
  CHECK(thread.code[2].body.size() == 2);
  CHECK(thread.code[2].otherwise.at(0).body.at(0).text == "*x = 3;");
  CHECK(thread.code[3].text == "do");
  CHECK(thread.code[3].end == "while (r0 == 0);");
}

TEST_CASE("a test that is written from its outline has the same code") {
  for (const std::string text : {"PTX t\n{ x = 0; }\n P0@cta 0,gpu 0 | P1@warp 3,cta 1,cluster 2,gpu 0,grid "
                                 "1 ;\n A: ld.weak r0, x | st.weak x, 1 ;\n bne r0, 1, A | ;\n"
                                 "exists (P0:r0=1)\n",
                                 "C t\n{ x = 0; }\nP0 (int* x) { int r = *x; if (r) { *x = 1; } else *x = 2; "
                                 "while (r) { r = r - 1; } }\n"
                                 "exists (0:r=1)\n"}) {
    const LitmusTest given = parse_litmus(text, "t");
    const std::string written = text_of(outline_of(text, "t"));
    const LitmusTest again = parse_litmus(written, "t");
    REQUIRE(given.program.threads.size() == again.program.threads.size());
    for (std::size_t i = 0; i < given.program.threads.size(); ++i) {
      const auto &left = given.program.threads[i], &right = again.program.threads[i];
      CHECK(left.placement.cta == right.placement.cta);
      CHECK(left.placement.grid == right.placement.grid);
      REQUIRE(left.code.size() == right.code.size());
      for (std::size_t k = 0; k < left.code.size(); ++k) CHECK(left.code[k].form == right.code[k].form);
    }
    CHECK(text_of(outline_of(written, "t")) == written);
  }
}

TEST_CASE("what an entry declares") {
  CHECK(declared_name("x") == "x");
  CHECK(declared_name("x : u32 = 0") == "x");
  CHECK(declared_name(".shared x : u32[4] = {1, 2}") == "x");
  CHECK(declared_name("atomic_int* y_2") == "y_2");
  CHECK(declared_name("y @ generic aliases x") == "y");
}
