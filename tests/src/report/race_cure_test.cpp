#include "src/report/race_cure.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/src/report/checked_columns.hpp"

using namespace ptxmc;

namespace {

/// The hints of the races, each once.
std::vector<std::string> hints_of(const std::string& text) {
  std::vector<std::string> result;
  for (const FindingText& finding : texts_of(check(text)))
    if (finding.property == LaunchProperty::race && std::ranges::find(result, finding.hint) == result.end())
      result.push_back(finding.hint);
  return result;
}

std::string hint_of(const std::string& text) {
  const auto hints = hints_of(text);
  REQUIRE(!hints.empty());
  return hints.front();
}

constexpr const char* two_ctas = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n";

/// Two threads of one CTA and a bulk copy by the first: `issue` stands before the copy, `reader` is P1.
std::string copy(const std::string& rows) {
  return "{ src : u64[2] = {7, 8}; .shared dst : u64[2] = {0}; .shared bar : mbarrier = 1; }\n"
         " P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" +
         rows + "exists (true)";
}

}  // namespace

TEST_CASE("a flag without release or acquire: which one is missing, at which line") {
  const auto with = [](const std::string& store, const std::string& load) {
    return hint_of("{ x=0; y=0; }\n" + std::string(two_ctas) + " st.weak x, 1 | " + load + " r0, y ;\n " +
                   store + " y, 1 | setp.eq.s64 p0, r0, 1 ;\n | @p0 ld.weak r1, x ;\nexists (true)");
  };
  CHECK(with("st.relaxed.gpu", "ld.acquire.gpu")
            .ends_with("does not synchronize with it: it is no release, and no fence is before it in P0"));
  CHECK(with("st.release.gpu", "ld.relaxed.gpu")
            .ends_with("does not synchronize with it: it is no acquire, and no fence is behind it in P1"));
  CHECK(with("st.release.cta", "ld.acquire.gpu")
            .ends_with("the scope .cta of P0 does not include P1; both need the scope .gpu or wider"));
  CHECK(with("st.release.cta", "ld.acquire.gpu")
            .starts_with("`ld.acquire.gpu r0, y` in line 4 sees `st.release.cta y, 1` in line 5"));
}

TEST_CASE("a copy that nobody waits for: the wait that is missing") {
  const std::string start =
      " mbarrier.arrive.expect_tx.b64 _, [bar], 16 ; | ;\n"
      " cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [dst], [src], 16, [bar] | ;\n"
      " bar.sync 0 | bar.sync 0 ;\n";
  const std::string own = hint_of(copy(start + " | ld.shared.u64 r0, [dst] ;\n"));
  CHECK(own.find("need not be complete: let P1 wait for the phase of its mbarrier before line 7") !=
        std::string::npos);
  const auto none =
      hints_of(copy(start + " | L: mbarrier.try_wait.parity.b64 p0, [bar], 0 ;\n | @!p0 bra L ;\n"
                            " | ld.shared.u64 r0, [dst] ;\n"));
  CHECK(none.empty());
}

TEST_CASE("a group that is not waited for, in its own thread and in another one") {
  const auto rows = [](const std::string& last) {
    return copy(
        " cp.async.ca.shared.global [dst], [src], 8 | ;\n"
        " cp.async.commit_group | ;\n" +
        last);
  };
  CHECK(hint_of(rows(" ld.shared.u64 r0, [dst] | ;\n"))
            .ends_with("wait for this group (cp.async.wait_group) in P0 before line 6"));
  CHECK(hint_of(rows(" bar.sync 0 | bar.sync 0 ;\n | ld.shared.u64 r0, [dst] ;\n"))
            .ends_with("(cp.async.wait_group) in P0, then let the threads meet at a barrier, before line 7"));
}

TEST_CASE("accesses that are ordered, but through different proxies: where the fence belongs") {
  const std::string text = copy(
      " | st.shared.u64 [dst], 5 ;\n"
      " bar.sync 0 | bar.sync 0 ;\n"
      " cp.async.bulk.global.shared::cta.bulk_group [src], [dst], 16 | ;\n");
  const std::string hint = hint_of(text);
  CHECK(
      hint ==
      "the accesses are ordered, but use different proxies: execute fence.proxy.async in P1 after line 4 and "
      "before `bar.sync 0` in line 5");
}

TEST_CASE("a copy that overwrites what is still read: the arrival that is missing") {
  const Checked checked =
      check(copy(" st.shared.u64 [dst], 5 | ;\n"
                 " bar.sync 0 | bar.sync 0 ;\n"
                 " cp.async.ca.shared.global [dst], [src], 8 | ld.shared.u64 r0, [dst] ;\n"
                 " cp.async.wait_all | setp.eq.s64 p0, r0, 5 ;\n"));
  const auto race =
      std::ranges::find(checked.answer.findings, LaunchProperty::race, &LaunchFinding::property);
  REQUIRE(race != checked.answer.findings.end());
  const auto text = texts_of(checked)[static_cast<std::size_t>(race - checked.answer.findings.begin())];
  // Either order of the two may be the one that is shown, and the hint fits it.
  for (const Event& event : race->witness.events)
    if (event.is_read() && event.thread == 1) {
      const std::string end = event.value.to_u64() == 5
                                  ? "may start before this access: let P1 arrive at an mbarrier or a barrier "
                                    "after line 6, and P0 "
                                    "wait for that before line 6"
                                  : "in P0, then let the threads meet at a barrier, before line 6";
      CHECK_MESSAGE(text.hint.ends_with(end), text.hint, " reads ", event.value.to_u64());
    }
}

TEST_CASE("a copy and an access in no order: both orders are named") {
  const std::string hint =
      hint_of(copy(" cp.async.ca.shared.global [dst], [src], 8 | ld.shared.u64 r0, [dst] ;\n"
                   " cp.async.wait_all | ;\n"));
  const bool sees_copy = hint.find("need not be complete") != std::string::npos;
  CHECK((sees_copy ||
         hint.starts_with("nothing orders `cp.async.ca.shared.global [dst], [src], 8` in line 4 and "
                          "this access; if the operation comes first, commit it")));
  CHECK(hint.find("cp.async.wait_group) in P0, then let the threads meet at a barrier, before line 4") !=
        std::string::npos);
}

TEST_CASE("two threads start copies to the same bytes") {
  const std::string copying = " cp.async.ca.shared.global [dst], [src], 8";
  CHECK(
      hint_of(copy(copying + " |" + copying + " ;\n")) ==
      "P0 starts `cp.async.ca.shared.global [dst], [src], 8` in line 4, P1 starts `cp.async.ca.shared.global "
      "[dst], [src], 8` in line 4, and both write these bytes: give each its own, or let one thread wait for "
      "the other's operation first");
}

TEST_CASE("two threads that read, change and write one location: an atomic operation") {
  const std::string rows =
      " ld.weak r0, x | ld.weak r0, x ;\n add.s64 r1, r0, 1 | add.s64 r1, r0, 1 ;\n"
      " st.weak x, r1 | st.weak x, r1 ;\nexists (true)";
  const auto hints = hints_of("{ x=0; }\n" + std::string(two_ctas) + rows);
  REQUIRE(!hints.empty());
  for (const std::string& hint : hints)
    CHECK(
        hint.find("both read x in line 4 and write what they compute from it in line 6, so one update can be "
                  "lost: make it one atomic operation") != std::string::npos);
  const std::string unlike =
      " ld.weak r0, x | st.weak x, 2 ;\n add.s64 r1, r0, 1 | ;\n st.weak x, r1 | ;\nexists (true)";
  for (const std::string& hint : hints_of("{ x=0; }\n" + std::string(two_ctas) + unlike))
    CHECK(hint.find("atomic operation") == std::string::npos);
}

TEST_CASE("a release of another thread of the CTA: the barrier that is missing before it") {
  const std::string hint = hint_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 ;\n"
      " st.weak x, 1 | | ld.acquire.gpu r0, y ;\n"
      " | st.release.gpu y, 1 | setp.eq.s64 p0, r0, 1 ;\n | | @p0 ld.weak r1, x ;\nexists (true)");
  CHECK(hint ==
        "P1 releases in line 5, which does not cover P0: no barrier is between line 4 and this release");
}

TEST_CASE("an acquire of another thread of the CTA: the barrier that is missing behind it") {
  const std::string hint = hint_of(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 1,gpu 0 ;\n"
      " st.weak x, 1 | ld.acquire.gpu r0, y | ;\n st.release.gpu y, 1 | setp.eq.s64 p0, r0, 1 | ;\n"
      " | @p0 st.relaxed.cta z, 1 | ld.relaxed.cta r0, z ;\n"
      " | | setp.eq.s64 p0, r0, 1 ;\n | | @p0 ld.weak r1, x ;\nexists (true)");
  CHECK(hint.find("P1 acquires in line 4, which does not cover P2") != std::string::npos);
}
