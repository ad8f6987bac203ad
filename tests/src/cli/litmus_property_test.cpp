#include "src/cli/litmus_property.hpp"

#include <doctest/doctest.h>

using namespace ptxmc;

namespace {

LitmusTest test_of(const std::string& columns) {
  return parse_litmus("PTX T\n{ x=0; f=0; }\n" + columns + "exists (x == 0)\n", "T.litmus");
}

PropertyAnswer ask(const LitmusTest& test, LitmusProperty property, const Progress& progress = {}) {
  return decide_property(test, cat::load("ptx-8.7"), {}, property, progress);
}

}  // namespace

// PTX ISA 8.7 § 8.7.1: conflicting, not ordered by causality, not morally strong.
TEST_CASE("a data race names the two accesses and what keeps them from being morally strong") {
  const LitmusTest weak =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.relaxed.gpu r0, x ;\n");
  const PropertyAnswer race = ask(weak, LitmusProperty::race);
  CHECK(race.answer.verdict == Verdict::allowed);
  CHECK(race.answer.holds == false);
  REQUIRE(race.findings.size() == 1);
  CHECK(race.findings[0] ==
        "data race: `st.weak x, 1` (P0, line 4) and `ld.relaxed.gpu r0, x` (P1, line 4) are not ordered by "
        "causality, and the access of P0 is weak");

  const LitmusTest narrow =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.cta x, 1 | ld.relaxed.gpu r0, x ;\n");
  REQUIRE(ask(narrow, LitmusProperty::race).findings.size() == 1);
  CHECK(ask(narrow, LitmusProperty::race).findings[0].ends_with("the scope .cta of P0 does not include P1"));

  const LitmusTest strong =
      test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n");
  CHECK(ask(strong, LitmusProperty::race).answer.holds == true);
}

TEST_CASE("a spin loop hangs when no write lets it go, and only then") {
  const std::string wait = "LC00: ld.relaxed.gpu r0, f";
  const LitmusTest lonely = test_of(" P0@cta 0,gpu 0 ;\n " + wait + " ;\n beq r0, 0, LC00 ;\n");
  const PropertyAnswer hang = ask(lonely, LitmusProperty::termination);
  CHECK(hang.answer.verdict == Verdict::allowed);
  REQUIRE(hang.findings.size() == 1);
  CHECK(hang.findings[0].find("reads f=0, and no later write comes") != std::string::npos);

  const LitmusTest freed = test_of(" P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n " + wait +
                                   " | st.relaxed.gpu f, 1 ;\n beq r0, 0, LC00 | ;\n");
  CHECK(ask(freed, LitmusProperty::termination).answer.holds == true);
  // T. Sorensen et al. 2016: a workgroup that waits may keep the one it waits for from starting.
  CHECK(ask(freed, LitmusProperty::termination, {Progress::Kind::occupancy, Scope::cta}).answer.verdict ==
        Verdict::allowed);
  CHECK(ask(freed, LitmusProperty::termination, {Progress::Kind::occupancy, Scope::gpu}).answer.holds ==
        true);
}

TEST_CASE("barriers in opposite order hang") {
  const LitmusTest crossed = test_of(
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | bar.cta.sync 1 ;\n bar.cta.sync 1 | "
      "bar.cta.sync 0 "
      ";\n");
  const PropertyAnswer hang = ask(crossed, LitmusProperty::termination);
  CHECK(hang.answer.verdict == Verdict::allowed);
  CHECK(hang.findings.size() == 2);
  const LitmusTest straight = test_of(
      " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n bar.cta.sync 0 | bar.cta.sync 0 ;\n bar.cta.sync 1 | "
      "bar.cta.sync 1 "
      ";\n");
  CHECK(ask(straight, LitmusProperty::termination).answer.holds == true);
}
