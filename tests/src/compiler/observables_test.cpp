#include "src/compiler/observables.hpp"

#include <doctest/doctest.h>

#include <string>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

LitmusTest test_of(const std::string& text) { return parse_litmus("PTX t\n" + text, "t.litmus"); }

/// The message and the column of the error.
std::string error_of(const std::string& text) {
  try {
    parse_observables(text);
  } catch (const InputError& error) {
    return std::to_string(error.where.column) + ": " + error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("pairs of names, and one name for both") {
  CHECK(parse_observables("1:r0=out[3]; x ;y=x[0]") ==
        std::vector<Observable>{{"1:r0", "out[3]"}, {"x", "x"}, {"y", "x[0]"}});
  CHECK(parse_observables("x;") == std::vector<Observable>{{"x", "x"}});
}

TEST_CASE("a mistake in the names has its column") {
  for (const char* text : {"", ";x", "x;;y", "=x", "x=", "x=a b", "x+y", "x;y;x=z"}) {
    CAPTURE(text);
    CHECK_FALSE(error_of(text).empty());
  }
  CHECK(error_of("x;=y").starts_with("3: "));
  CHECK(error_of("x=a;y; x=b") == "7: found a second `x`, expected each name of the source once");
}

TEST_CASE("names of registers and locations") {
  const LitmusTest test = test_of(
      "{ x=0; a : u32[3] = {1, 2, 3}; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | "
      "ld.relaxed.gpu r0, x ;\nexists (x=1)");
  const auto reads = term_called(test.program, "1:r0");
  REQUIRE(reads);
  CHECK(reads->kind == FinalTerm::Kind::thread_register);
  CHECK(reads->thread == 1);
  CHECK(term_called(test.program, "P1:r0") == reads);
  const auto element = term_called(test.program, "a[2]");
  REQUIRE(element);
  CHECK(element->element == 2);
  CHECK(width_of(*element, test.program) == 32);
  CHECK(term_called(test.program, "[x]") == term_called(test.program, "x"));
  for (const char* name : {"a[3]", "a[]", "b", "2:r0", "0:r0", "1:", ":r0"}) {
    CAPTURE(name);
    CHECK_FALSE(term_called(test.program, name));
  }
}

TEST_CASE("what both tests have is compared, and the rest is named") {
  const std::string threads = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";
  const LitmusTest source =
      test_of("{ x=0; y=0; }\n" + threads + " ld.relaxed.gpu r0, x | ld.relaxed.gpu r1, y ;\nexists (x=0)");
  const LitmusTest target =
      test_of("{ x=0; }\n" + threads + " ld.relaxed.gpu r0, x | ld.relaxed.gpu r2, x ;\nexists (x=0)");
  const SharedObservables shared = shared_observables(source.program, target.program, "t");
  CHECK(shared.observables == std::vector<Observable>{{"0:r0", "0:r0"}, {"x", "x"}});
  CHECK(shared.left_out ==
        std::vector<std::string>{"only in the source: 1:r1, y", "only in the target: 1:r2"});
  CHECK_THROWS_AS(shared_observables(target.program, source.program, "t"), InputError);
}

TEST_CASE("the same bits in a signed and an unsigned location are one value") {
  CHECK(canonical_value(0xffff'ffff, 32) == -1);
  CHECK(canonical_value(-1, 32) == -1);
  CHECK(canonical_value(0x7fff'ffff, 32) == 0x7fff'ffff);
  CHECK(canonical_value(0x1'0000'0000, 32) == 0x1'0000'0000);
  CHECK(canonical_value(255, 8) == -1);
  CHECK(canonical_value(-1, 64) == -1);
}
