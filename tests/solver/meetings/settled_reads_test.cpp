#include "solver/meetings/settled_reads.hpp"

#include <doctest/doctest.h>

#include "solver/unfolding/unfold.hpp"
#include "tests/solver/thread_code.hpp"

using namespace ptxmc;

namespace {

/// What is known of the values of reads, in order; none: nothing.
std::vector<std::optional<std::uint64_t>> values_of(const EventStructure& structure) {
  std::vector<std::optional<std::uint64_t>> values;
  for (const Event& event : structure.events)
    if (event.is_read())
      values.push_back(event.value.is_constant() ? std::optional(event.value.to_u64()) : std::nullopt);
  return values;
}

std::vector<std::optional<std::uint64_t>> settled_values(const LitmusTest& test) {
  TermGraph graph;
  return values_of(with_settled_reads(unfold(test.program, graph, {})));
}

using ReadValues = std::vector<std::optional<std::uint64_t>>;

LitmusTest with_two(const std::string& rows) {
  return parse_litmus("PTX t { x=3; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "\nexists 0 == 0",
                      "t.litmus");
}

}  // namespace

// PTX ISA 8.7 § 8.7: operations of one thread are morally strong when they overlap completely; § 8.10.5.
TEST_CASE("without writes of other threads, a thread reads its last write or the initial content") {
  CHECK(settled_values(with_thread("ld.weak r0, x ;\nst.weak x, 7 ;\nld.weak r1, x ;\nst.weak x, 8 ;",
                                   "x=3;")) == ReadValues{3, 7});
  CHECK(settled_values(with_thread("atom.relaxed.gpu.add r0, x, 1 ;\nld.weak r1, x ;", "x=3;")) ==
        ReadValues{3, 4});
}

TEST_CASE("a write that happens or not leaves both values") {
  const auto values = settled_values(
      with_two("ld.weak r0, x | ;\nbne r0, 3, LC00 | ;\nst.weak y, 1 | ;\nLC00: ld.weak r1, y | ;"));
  CHECK(values == ReadValues{3, 1});  // the branch is known too
}

TEST_CASE("where another thread may write, nothing is known") {
  CHECK(settled_values(with_two("ld.weak r0, x | st.weak x, 1 ;")) == ReadValues{std::nullopt});
  CHECK(settled_values(with_two("ld.weak r0, x | ld.weak r0, x ;")) == ReadValues{3, 3});
}

// PTX ISA 8.7 § 8.10.6: the read does not take what was there before a write that precedes it.
TEST_CASE("a read that may only take writes of one value has this value") {
  CHECK(settled_values(with_two("st.weak x, 7 | st.weak x, 7 ;\nld.weak r0, x | ;")) == ReadValues{7});
  CHECK(settled_values(with_two("ld.weak r0, x | st.weak x, 7 ;")) == ReadValues{std::nullopt});
  CHECK(settled_values(with_two("st.weak x, 7 | st.weak x, 8 ;\nld.weak r0, x | ;")) ==
        ReadValues{std::nullopt});
}

// Causality orders the accesses of a thread that overlap in part too: PTX ISA 8.7 § 8.9.5.
TEST_CASE("a write of another size to the same bytes is read by bytes") {
  CHECK(settled_values(with_thread("st.weak.b16 a, 1 ;\nld.weak.b32 r0, a ;", "a : b16[2] = {2, 3};")) ==
        ReadValues{0x30001});
}

// PTX ISA 8.7 § 8.9.5, § 8.9.6, § 8.10.6: what barriers order is so in coherence order, and is what is read.
TEST_CASE("behind a barrier a read takes what was written before it by another thread") {
  const std::string rows =
      "st.weak x, 7    | st.weak y, 8 ;\n"
      "bar.cta.sync 0  | bar.cta.sync 0 ;\n"
      "ld.weak r0, y   | ld.weak r0, x ;\n"
      "bar.cta.sync 0  | bar.cta.sync 0 ;\n"
      "st.weak x, 9    | ;";
  TermGraph graph;
  const LitmusTest test = with_two(rows);
  const EventStructure structure = unfold(test.program, graph, {});
  BarrierSchedule schedule;
  for (const Event& event : structure.events) schedule.push_back(event.kind == EventKind::barrier ? 0 : -1);
  CHECK(values_of(with_settled_reads(structure)) == ReadValues{std::nullopt, std::nullopt});
  int seen[2] = {0, 0};
  for (std::size_t i = 0; i < schedule.size(); ++i)
    if (schedule[i] == 0) schedule[i] = seen[structure.events[i].thread]++;
  CHECK(values_of(with_settled_reads(structure, schedule)) == ReadValues{8, 7});
}

TEST_CASE("the order of writes does not matter before a write that always overwrites them") {
  const auto value_behind = [](const std::string& overwriting) {
    TermGraph graph;
    const LitmusTest test = with_two(
        "ld.weak r1, y   | st.relaxed.gpu y, 1 ;\n"
        "setp.eq.s64 p0, r1, 0 | ;\n"
        "st.weak x, 7    | st.weak x, 8 ;\n"
        "bar.cta.sync 0  | bar.cta.sync 0 ;\n" +
        overwriting + "  | ;\nld.weak r0, x   | ;");
    const EventStructure structure = unfold(test.program, graph, {});
    BarrierSchedule schedule;
    for (const Event& event : structure.events) schedule.push_back(event.kind == EventKind::barrier ? 0 : -1);
    return values_of(with_settled_reads(structure, schedule)).back();
  };
  CHECK(value_behind("st.weak x, 9") == 9);
  CHECK(value_behind("st.weak y, 9") == std::nullopt);
  CHECK(value_behind("st.weak.b8 x, 9") == std::nullopt);   // not all bytes
  CHECK(value_behind("@p0 st.weak x, 9") == std::nullopt);  // not always
}

// The halves that P0 and P1 write are in no order, though each stands next to a write of the other half.
TEST_CASE("writes in no order leave a read open, whatever lies between them") {
  const std::string rows =
      "st.relaxed.cta.b16 a, 1             | st.relaxed.cta.b16 a, 9 ;\n"
      "st.relaxed.cta.b16 [a + 2], 2       | ;\n"
      "bar.cta.sync 0                      | bar.cta.sync 0 ;\n"
      "ld.weak.b32 r0, a                   | ;";
  TermGraph graph;
  const LitmusTest test = parse_litmus(
      "PTX t { a : b16[2] = {0, 0}; } P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" + rows + "\nexists 0 == 0",
      "t.litmus");
  const EventStructure structure = unfold(test.program, graph, {});
  BarrierSchedule schedule;
  for (const Event& event : structure.events) schedule.push_back(event.kind == EventKind::barrier ? 0 : -1);
  CHECK(values_of(with_settled_reads(structure, schedule)) == ReadValues{std::nullopt});
}

// The address of the second read is what the first one takes: known one round later.
TEST_CASE("a place that was read is known too") {
  CHECK(
      settled_values(with_two("st.weak y, 5 | ;\nld.weak r0, y | ;\nst.weak x, r0 | ;\nld.weak r1, x | ;")) ==
      ReadValues{5, 5});
}

namespace {

/// What P0 reads after a barrier that all pass once.
ReadValues read_behind_barrier(const std::string& before,
                               const std::string& scope_tree = "P0@cta 0,gpu 0 | P1@cta 0,gpu 0") {
  TermGraph graph;
  const LitmusTest test =
      parse_litmus("PTX t { x=3; } " + scope_tree + " ;\n" + before +
                       " ;\nbar.cta.sync 0 | bar.cta.sync 0 ;\nld.weak r9, x | ;\nexists 0 == 0",
                   "t.litmus");
  const EventStructure structure = unfold(test.program, graph, {});
  BarrierSchedule schedule;
  for (const Event& event : structure.events) schedule.push_back(event.kind == EventKind::barrier ? 0 : -1);
  ReadValues last = values_of(with_settled_reads(structure, schedule));
  for (const Event& event : structure.events)
    if (event.thread == 1 && event.is_read()) last.pop_back();
  return {last.back()};
}

}  // namespace

// PTX ISA 8.7 § 8.10.3: none of them comes between the halves of another one that it is morally strong with.
TEST_CASE("what atomic operations leave that may change places is what all of them make") {
  CHECK(read_behind_barrier("red.relaxed.cta.add x, 4 | red.relaxed.cta.add x, 5") == ReadValues{12});
  CHECK(read_behind_barrier("atom.relaxed.gpu.max r0, x, 4 | atom.relaxed.gpu.max r0, x, 5") ==
        ReadValues{5});
  // Not these: the order matters, or one can be lost, or is no atomic operation.
  CHECK(read_behind_barrier("red.relaxed.cta.add x, 4 | red.relaxed.cta.max x, 5") ==
        ReadValues{std::nullopt});
  CHECK(read_behind_barrier("atom.relaxed.cta.exch r0, x, 4 | atom.relaxed.cta.exch r0, x, 5") ==
        ReadValues{std::nullopt});
  CHECK(read_behind_barrier("red.relaxed.cta.add x, 4 | st.relaxed.cta x, 5") == ReadValues{std::nullopt});
  // The order of writes of one value is irrelevant.
  CHECK(read_behind_barrier("st.relaxed.cta x, 5 | st.relaxed.cta x, 5") == ReadValues{5});
}
