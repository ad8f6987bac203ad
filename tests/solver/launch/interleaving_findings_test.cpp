// Executions that are too large to compute relations over all their events.
#include "solver/launch/interleaving_findings.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/solver/launches.hpp"

using namespace ptxmc;

namespace {

constexpr int threads = 40;

using Rows = std::vector<std::string>;

/// Threads with these rows, after many reads of memory that no thread writes. The first thread has another
/// last row.
LitmusTest many_reads_then(const Rows& rows, const std::string& last_of_first) {
  std::string text = "{ x=0; y=0; z=0; }\n";
  for (int i = 0; i < threads; ++i) text += fmt::format("{} P{}@cta 0,gpu 0", i == 0 ? "" : "|", i);
  Rows all(few_related_events / threads + 2, "ld.weak r0, z");
  all.insert(all.end(), rows.begin(), rows.end());
  for (std::size_t row = 0; row < all.size(); ++row) {
    text += " ;\n";
    for (int i = 0; i < threads; ++i)
      text += (i == 0 ? " " : "| ") + (i == 0 && row + 1 == all.size() ? last_of_first : all[row]);
  }
  return launch_of(text + " ;\nforall (x == 0)\n");
}

/// The findings in an interleaving of the launch.
std::vector<LaunchFinding> findings(const LitmusTest& test, const char* model = "ptx-8.7",
                                    std::optional<std::int64_t> first_element = {}) {
  TermGraph graph;
  const EventStructure structure = events_of(test, graph);
  LaunchQuestion question = question_about(structure);
  if (first_element) question.final_condition = first_element_is(*first_element);
  const auto schedules = barrier_schedules(structure);
  REQUIRE(schedules.has_value());
  REQUIRE(schedules->size() == 1);
  const EventStructure scheduled = under_schedule(structure, schedules->front());
  auto interleaving = interleaving_in_turns(scheduled, schedules->front(), {}, {}, Turn::all);
  REQUIRE(interleaving.has_value());
  CHECK(interleaving->witness.execution.events.size() > few_related_events);
  return findings_of(question, scheduled, cat::load(model), *std::move(interleaving));
}

}  // namespace

TEST_CASE("a race that few events precede is judged in the part of the execution that it needs") {
  const auto found = findings(many_reads_then({"st.weak x, 1"}, "st.weak x, 1"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].property == LaunchProperty::race);
  CHECK(found[0].witness.events.size() < few_related_events);
  CHECK(found[0].witness.relations.contains("data_race"));
}

TEST_CASE("a race behind a barrier of all threads is shown by the whole execution") {
  const auto found = findings(many_reads_then({"bar.cta.sync 0", "st.weak x, 1"}, "st.weak x, 1"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].property == LaunchProperty::race);
  CHECK(found[0].witness.events.size() > few_related_events);
  const Event& site = found[0].witness.events.at(static_cast<std::size_t>(found[0].site.event));
  CHECK(site.is_write());
}

TEST_CASE("a read that races with the only write may take memory without initial value") {
  // The first thread writes before the others read.
  LitmusTest test = many_reads_then({"ld.weak r0, x"}, "st.weak x, 1");
  for (Variable& variable : test.program.memory)
    if (variable.name == "x") variable.initial = {Bits()};
  const auto found = findings(test);
  REQUIRE(found.size() == 2);
  CHECK(found[0].property == LaunchProperty::race);
  CHECK(found[1].property == LaunchProperty::uninitialized);
  CHECK(found[1].witness.events.size() > few_related_events);
}

TEST_CASE("a large execution without a race has no finding") {
  CHECK(findings(many_reads_then({"red.relaxed.cta.add x, 1"}, "red.relaxed.cta.add x, 1")).empty());
  CHECK(findings(many_reads_then({"bar.cta.sync 0", "ld.weak r0, x"}, "ld.weak r0, x")).empty());
}

TEST_CASE("a deadlock and a wrong final condition of a large execution") {
  const auto stuck =
      findings(many_reads_then({fmt::format("barrier.cta.sync 0, {}", 32 * threads)}, "st.weak y, 1"));
  REQUIRE(stuck.size() == 1);
  CHECK(stuck[0].property == LaunchProperty::deadlock);
  CHECK(stuck[0].witness.events.size() > few_related_events);

  const LitmusTest sum = many_reads_then({"red.relaxed.cta.add x, 1"}, "red.relaxed.cta.add x, 1");
  CHECK(findings(sum, "ptx-8.7", threads).empty());
  const auto wrong = findings(sum, "ptx-8.7", threads + 1);
  REQUIRE(wrong.size() == 1);
  CHECK(wrong[0].property == LaunchProperty::assertion);
}

TEST_CASE("accesses that are strong in too narrow a scope are left to the judge") {
  LitmusTest test = many_reads_then({"red.relaxed.cta.add x, 1"}, "red.relaxed.cta.add x, 1");
  for (std::size_t i = 0; i < test.program.threads.size(); ++i)
    test.program.threads[i].placement.cta = test.program.threads[i].placement.cluster = static_cast<int>(i);
  const auto found = findings(test);
  REQUIRE(found.size() == 1);
  CHECK(found[0].property == LaunchProperty::race);
  CHECK(found[0].witness.relations.contains("data_race"));
  CHECK(found[0].witness.events.size() < few_related_events);
}

TEST_CASE("under a model without the definitions of 8.7 the judge decides") {
  const auto found = findings(many_reads_then({"bar.cta.sync 0", "st.weak x, 1"}, "st.weak x, 1"), "ptx-6.4");
  REQUIRE(found.size() == 1);
  CHECK(found[0].witness.relations.contains("data_race"));
}
