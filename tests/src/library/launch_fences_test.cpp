#include "src/library/launch_fences.hpp"

#include <doctest/doctest.h>

#include "src/cli/launch_options.hpp"
#include "src/compiler/ptx_edits.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"

using namespace ptxmc;

namespace {

kernel::Launch launch_of(const std::string& name) {
  return launches_of(PTXMC_SOURCE_DIR "/tests/kernels/" + name + ".toml", {}).at(0);
}

LaunchFences report_on(const kernel::Launch& launch, Engine engine = Engine::automatic,
                       WhatToTry tries = WhatToTry::nothing) {
  DecideOptions options;
  options.timeout_seconds = 60;
  return fences_of(launch, cat::load("ptx-8.7"), options, engine, {}, tries);
}

/// The edits of the module for the cheapest assignment.
std::vector<LineEdit> edits_of(const LaunchFences& found) {
  return ptx_edits(found.text, found.report.points, found.report.minimal.front());
}

bool is_safe(kernel::Launch launch, const std::string& text) {
  launch.module_text = text;
  DecideOptions options;
  options.timeout_seconds = 60;
  const kernel::CheckedLaunch checked =
      kernel::check(launch, all_launch_properties(), cat::load("ptx-8.7"), options);
  return checked.violated().empty() && checked.unknown().empty();
}

}  // namespace

TEST_CASE("locks, queues and reductions: what is wasted can go, what is needed cannot") {
  for (const char* name :
       {"lock_ok", "ticket_ok", "queue_ok", "mailbox_ok", "total_ok", "announce_ok", "lock_bug_relaxed"}) {
    CAPTURE(name);
    const LaunchFences found = report_on(launch_of(name), Engine::automatic, WhatToTry::said);
    CHECK(found.report.is_complete);
    REQUIRE(found.report.trials);
    CHECK(found.report.trials->kept >= found.report.minimal.size());
    CHECK(found.report.trials->lost > 0);
    CHECK(found.report.trials->undecided == 0);
    CHECK(found.report.trials->wrong == 0);
  }
}

TEST_CASE("a launch that races in some lines gets no race in others") {
  const kernel::Launch launch = launch_of("scratch_bug_race");
  const LaunchFences found = report_on(launch, Engine::automatic, WhatToTry::all);
  const FenceReport& report = found.report;
  CHECK(report.holds);
  CHECK(report.property ==
        "assertion+race elsewhere+uninitialized+out-of-bounds+divergence+undefined+deadlock");
  CHECK(report.is_complete);
  REQUIRE(report.trials);
  CHECK(report.trials->kept > 0);
  CHECK(report.trials->lost > 0);
  CHECK(report.trials->wrong == 0);
  // The fence may release alone, and the load must acquire: the data would race.
  const std::string text = with_edits(found.text, edits_of(found));
  CHECK(text.find("fence.sc") == std::string::npos);
  CHECK(text.find("ld.acquire.gpu") != std::string::npos);
}

TEST_CASE("a lock needs its acquire and its release, and nothing else") {
  for (const Engine engine : {Engine::explorer, Engine::smt}) {
    const LaunchFences lock = report_on(launch_of("lock_ok"), engine);
    CHECK(lock.report.property == "safe");
    CHECK(lock.report.holds);
    CHECK(lock.report.is_complete);
    CHECK(lock.report.costs == std::vector<int>{0});
    CHECK(lock.report.status == std::vector<PointStatus>{PointStatus::needed, PointStatus::needed});
    CHECK(edits_of(lock).empty());
  }
}

TEST_CASE("a lock without release is repaired: the module with the edits is safe") {
  const kernel::Launch launch = launch_of("lock_bug_relaxed");
  const LaunchFences lock = report_on(launch);
  CHECK_FALSE(lock.report.holds);
  CHECK(lock.report.lost.starts_with("assertion failed"));
  CHECK(lock.report.costs == std::vector<int>{3, 11});
  REQUIRE(edits_of(lock).size() == 1);
  CHECK(is_safe(launch, with_edits(lock.text, edits_of(lock))));
}

TEST_CASE("what is wasted: the weaker module is safe, with less it is not") {
  const kernel::Launch launch = launch_of("announce_ok");
  const LaunchFences announce = report_on(launch);
  CHECK(announce.report.holds);
  CHECK(announce.report.costs.front() < 0);
  CHECK(is_safe(launch, with_edits(announce.text, edits_of(announce))));
}

TEST_CASE("what no strength repairs") {
  const LaunchFences silent = report_on(launch_of("announce_bug_silent"));
  CHECK_FALSE(silent.report.holds);
  CHECK(silent.report.minimal.empty());
  CHECK(silent.report.is_complete);
}

TEST_CASE("scopes: one CTA says nothing about several, and the system is more than the launch") {
  const kernel::Launch meeting = launch_of("meeting_ok");
  for (const StrengthPoint& point : report_on(meeting).report.points)
    for (const PointLevel& level : point.levels)
      if (kernel::volume(meeting.grid) == 1 && point.levels[point.given].strength.scope == Scope::gpu)
        CHECK(level.strength.scope != Scope::cta);
}
