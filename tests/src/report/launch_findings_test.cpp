#include "src/report/launch_findings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "solver/unfolding/unfold.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/ptx/check.hpp"
#include "src/report/excerpt.hpp"
#include "src/report/trace.hpp"
#include "tests/src/report/checked_columns.hpp"

using namespace ptxmc;

TEST_CASE("a race names both accesses, their values, why they race, and a cure") {
  const Checked checked = check(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ;\n | st.weak x, 2 ;\nexists (x == 0)");
  const auto texts = texts_of(checked);
  REQUIRE(texts.size() == 1);
  CHECK(finding_text(texts[0], "k.ptx") ==
        "k.ptx:4:2: error: data race: `st.weak x, 1` by P0, which writes x = 1, with that in line 5: "
        "`st.weak x, 2` by P1, "
        "which writes x = 2; not ordered by causality, not morally strong: both are weak\n"
        "    hint: order them by a release and an acquire of scope .gpu or wider, or make both of them "
        "strong\n");
  CHECK(texts[0].threads == std::vector<std::string>{"P0", "P1"});
}

TEST_CASE("a scope that is too narrow is named, and the one that would do") {
  const auto texts =
      texts_of(check("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.cta x, 1 | ;\n | "
                     "st.relaxed.gpu x, 2 ;\nexists (x == 0)"));
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].message.ends_with("the scope .cta of P0 does not include P1"));
  CHECK(texts[0].hint == "the scope .gpu includes both threads");
}

TEST_CASE("two accesses of one thread race by their proxies, not by their strength") {
  const auto texts = texts_of(
      check("{ x=0; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n ld.global.nc.s64 r0, [x] ;\nexists (x == 1)"));
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].message.ends_with("not morally strong: they use different proxies"));
  CHECK(texts[0].hint == "use one proxy for both, or order them by a proxy fence");
}

TEST_CASE("a deadlock names the waiting threads, and a trap its thread") {
  const auto waits = texts_of(check("{ x=0; }\n P0@cta 0,gpu 0 ;\n bar.sync 0, 64 ;\nexists (x == 0)"));
  REQUIRE(waits.size() == 1);
  CHECK(finding_text(waits[0], "k.ptx") ==
        "k.ptx:4:2: error: deadlock: P0 waits at the barrier in line 4, which never completes\n");
  const auto trapped = texts_of(check("{ x=0; }\n P0@cta 0,gpu 0 ;\n trap ;\nexists (x == 0)"));
  REQUIRE(trapped.size() == 1);
  CHECK(finding_text(trapped[0], "k.ptx") == "k.ptx:4:2: error: assertion failed: trap, by P0\n");
}

TEST_CASE("a deadlock at an mbarrier says what its phase waits for") {
  const auto texts = texts_of(check(
      "{ .shared bar : mbarrier = 2; }\n P0@cta 0,gpu 0 ;\n mbarrier.arrive.expect_tx.b64 _, [bar], 64 ;\n"
      " L: mbarrier.try_wait.parity.b64 p0, [bar], 0 ;\n @!p0 bra L ;\nexists (true)"));
  REQUIRE(texts.size() == 1);
  CHECK(
      finding_text(texts[0], "k.ptx") ==
      "k.ptx:6:2: error: deadlock: P0 repeats the loop in line 6 for ever: `mbarrier.try_wait.parity.b64 p0, "
      "[bar], 0` "
      "(line 5) reads cta0:bar, whose phase 0 waits for 1 arrival and 64 bytes (an arrival came in line 4 by "
      "P0), and no later write comes\n");
}

TEST_CASE("a deadlock at an mbarrier says which arrivals have completed its phases") {
  const auto texts =
      texts_of(check("{ .shared bar : mbarrier = 1; }\n P0@cta 0,gpu 0 ;\n mbarrier.arrive.b64 _, [bar] ;\n"
                     " mbarrier.arrive.b64 _, [bar] ;\n"
                     " L: mbarrier.try_wait.parity.b64 p0, [bar], 0 ;\n @!p0 bra L ;\nexists (true)"));
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].message.find(
            "whose phase 2 waits for 1 arrival (phase 0 was completed in line 4 by P0, phase 1 "
            "was completed in line 5 by P0), and") != std::string::npos);
}

TEST_CASE("a use of memory without an mbarrier says which mbarrier.init need not come before") {
  const auto texts = texts_of(check(
      "{ .shared bar : b64 = 0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n mbarrier.init.b64 [bar], 1 | ;\n"
      " | mbarrier.arrive.b64 _, [bar] ;\nexists (true)"));
  REQUIRE(!texts.empty());
  for (const FindingText& text : texts)
    if (text.message.find("holds no mbarrier object") != std::string::npos)
      CHECK(text.hint ==
            "`mbarrier.init.b64 [bar], 1` in line 4 by P0 need not come before: let the threads meet at a "
            "barrier after it and before line 5");
  const auto twice =
      texts_of(check("{ .shared bar : b64 = 0; }\n P0@cta 0,gpu 0 ;\n mbarrier.init.b64 [bar], 1 ;\n"
                     " mbarrier.init.b64 [bar], 1 ;\nexists (true)"));
  REQUIRE(twice.size() == 1);
  CHECK(
      twice[0].hint ==
      "the object that line 4 uses still exists: execute mbarrier.inval when it is no longer used, and order "
      "that before line 5");
}

TEST_CASE("an undefined use of an mbarrier names the instruction and the object") {
  const std::string object = "{ .shared bar : mbarrier = 1; }\n P0@cta 0,gpu 0 ;\n";
  const auto of_count = texts_of(check(object + " mbarrier.arrive.b64 _, [bar], 2 ;\nexists (true)"));
  REQUIRE(of_count.size() == 1);
  CHECK(of_count[0].message.starts_with("undefined: more threads arrive at the mbarrier"));
  CHECK(of_count[0].message.ends_with(
      ", by P0, at `mbarrier.arrive.b64 _, [bar], 2`, which finds cta0:bar = phase 0, 1 pending"));
  const auto of_memory =
      texts_of(check(object + " mbarrier.inval.b64 [bar] ;\n mbarrier.arrive.b64 _, [bar] ;\nexists (true)"));
  REQUIRE(!of_memory.empty());
  const auto text = std::ranges::find_if(of_memory, [](const FindingText& finding) {
    return finding.message.find("holds no mbarrier object") != std::string::npos;
  });
  REQUIRE(text != of_memory.end());
  CHECK(text->message.find(", by P0, at `mbarrier.arrive.b64 _, [bar]`, which finds cta0:bar = ") !=
        std::string::npos);
  CHECK(text->message.ends_with(", and P0 at `mbarrier.inval.b64 [bar]` in line 4"));
}

TEST_CASE("a read of discarded memory names the discarding instruction and thread") {
  const auto texts =
      texts_of(check("{ x : u32[32]; }\n P0@cta 0,gpu 0 ;\n discard.L2 x, 128 ;\n"
                     " ld.weak.u32 r0, x ;\nexists (x[0] == 0)"));
  REQUIRE(texts.size() == 1);
  const std::string text = finding_text(texts[0], "k.ptx");
  CHECK(text.starts_with("k.ptx:5:2: error: uninitialized read: `ld.weak.u32 r0, x` by P0 reads x"));
  CHECK(text.find("which `discard.L2 x, 128` by P0 has discarded") != std::string::npos);
}

// A write comes before the read that takes its value, whichever thread is named first.
TEST_CASE("a trace has sources before what reads from them") {
  const Checked checked = check(
      "{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n"
      " bne r0, 1, LC00 | ;\n trap | ;\n LC00: | ;\nexists (x == 0)");
  REQUIRE(checked.answer.findings.size() == 1);
  CHECK(trace_text(checked.answer.findings[0].witness) ==
        "    1. P1: line 4: `st.relaxed.gpu x, 1`: writes x = 1\n"
        "    2. P0: line 4: `ld.relaxed.gpu r0, x`: reads x = 1\n");
}

namespace {

/// The lines of a module with this body.
kernel::SourceLines lines_of_body(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n" + body +
      "}\n.file 1 \"k.cu\"\n.file 2 \"a.h\"\n.file 3 \"b.h\"\n.file 4 \"/usr/local/cuda/include/c.h\"\n"
      ".section .debug_str\n{\n$L__info_string0:\n.b8 95, 0\n}\n";
  syntax::Diagnostics diagnostics;
  const auto source = std::make_shared<const SourceText>("k.ptx", text);
  return kernel::SourceLines(syntax::read_module(source, ptx(), diagnostics));
}

std::string inlined(const std::string& position, const std::string& call) {
  return ".loc " + position + ", function_name $L__info_string0, inlined_at " + call + "\n";
}

}  // namespace

TEST_CASE("lines of what was inlined are those that it was inlined at, with the lines inside") {
  const auto line =
      lines_of_body(".loc 1 7 3\n" + inlined("2 80 13", "1 7 3") + inlined("3 115 4", "2 80 13") + "ret;\n")
          .of(9);
  REQUIRE(line);
  CHECK(line->file == "k.cu");
  CHECK(line->line == 7);
  CHECK(line->column == 3);
  REQUIRE(line->inlined.size() == 2);
  CHECK(line->inlined[0].column == 4);
  CHECK(kernel::source_text(*line) == "b.h:115, inlined at a.h:80, inlined at k.cu:7");
  CHECK(kernel::short_source_text(*line) == "b.h:115 inlined into k.cu:7");
}

TEST_CASE(
    "the same call in another function is another one, and the calls without a line of their own are known") {
  const auto lines = lines_of_body(inlined("2 80 13", "1 9 3") + "ret;\n.loc 1 10 1\nret;\n");
  CHECK(kernel::source_text(lines.of(7).value()) == "a.h:80, inlined at k.cu:9");
  CHECK(kernel::source_text(lines.of(9).value()) == "k.cu:10");
}

TEST_CASE("lines in headers of the toolkit are left out, and those in the middle of many") {
  const auto toolkit =
      lines_of_body(inlined("4 5 1", "1 9 3") + inlined("4 6 1", "4 5 1") + "ret;\n").of(8).value();
  CHECK(toolkit.inlined.size() == 2);
  CHECK(kernel::source_text(toolkit) == "k.cu:9");
  CHECK(kernel::short_source_text(toolkit) == "k.cu:9");
  std::string many = inlined("2 1 1", "1 9 3");
  for (int i = 2; i < 7; ++i)
    many += inlined("2 " + std::to_string(i) + " 1", "2 " + std::to_string(i - 1) + " 1");
  CHECK(kernel::source_text(lines_of_body(many + "ret;\n").of(12).value()) ==
        "a.h:6, inlined at a.h:5, …, inlined at a.h:1, inlined at k.cu:9");
}

// The threads of two columns write x in lines 4 and 5, as an unrolled loop does.
TEST_CASE("findings at the same source lines are one, which counts the others") {
  const Checked checked = check(
      "{ x : s64[2] = {0}; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x[0], 1 | st.weak x[0], 2 ;\n"
      " st.weak x[1], 1 | st.weak x[1], 2 ;\nexists (true)");
  REQUIRE(texts_of(checked).size() == 2);
  // By chance the instructions of this module stand in the lines of the test.
  const std::string head =
      ".version 8.0 .target sm_80 .address_size 64 .file 1 \"k.cu\"\n.visible .entry k() {\n";
  const auto texts_with = [&](const std::string& body) {
    syntax::Diagnostics diagnostics;
    const auto source = std::make_shared<const SourceText>("k.ptx", head + body + "}\n");
    return finding_texts(checked.answer, "",
                         kernel::SourceLines(syntax::read_module(source, ptx(), diagnostics)));
  };
  const auto texts = texts_with(".loc 1 7 3\nret;\nret;\n");
  REQUIRE(texts.size() == 1);
  CHECK(texts[0].repeated == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{5, 5}});
  CHECK(
      finding_text(texts[0], "k.ptx")
          .find("    from k.cu:7\n    also in 1 more pair of lines of the module from the same source: 5 and "
                "5\n") != std::string::npos);
  CHECK(texts_with(".loc 1 7 3\nret; .loc 1 8 3\nret;\n").size() == 2);
}

TEST_CASE("two writes of the same value are said to be such") {
  const auto text_of = [](const std::string& value) {
    return texts_of(check("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | st.weak x, " +
                          value + " ;\nexists (true)"))
        .at(0);
  };
  CHECK(text_of("1").is_of_same_value);
  CHECK(text_of("1").message.find("which writes x = 1; both write the same value; not ordered") !=
        std::string::npos);
  CHECK_FALSE(text_of("2").is_of_same_value);
}

TEST_CASE("inputs are shown as their types say: floating-point numbers with their bits") {
  LaunchAnswer answer;
  LaunchFinding& finding = answer.findings.emplace_back();
  finding.message = "trap";
  Program program;
  program.threads.emplace_back().name = "P0";
  finding.witness.program = &program;
  finding.site.thread = 0;
  finding.inputs = {{"a", type_of(".f32"), Bits(32, 0xff800000)},
                    {"b", type_of(".f64"), Bits(64, 0x3ff8000000000000)},
                    {"n", type_of(".s32"), Bits(32, 0xffffffff)},
                    {"m", type_of(".u64"), Bits(64, 0xffffffffffffffff)}};
  const auto texts = finding_texts(answer, "", no_lines);
  CHECK(texts.at(0).inputs ==
        "a = -inf (0xff800000), b = 1.5 (0x3ff8000000000000), n = -1, m = 18446744073709551615");
}

TEST_CASE("a trace shows the steps that explain the finding, and counts the others") {
  const Checked checked = check(
      "{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak y, 1 | ;\n st.weak x, 1 | st.weak x, 2 "
      ";\nexists (true)");
  REQUIRE(checked.answer.findings.size() == 1);
  const LaunchFinding& finding = checked.answer.findings[0];
  const std::string text =
      trace_text(finding.witness, events_that_explain(finding.witness, important_events(finding)),
                 [](std::uint32_t line) { return "row " + std::to_string(line); });
  CHECK(text ==
        "    1. P0: row 5: `st.weak x, 1`: writes x = 1\n"
        "    2. P1: row 5: `st.weak x, 2`: writes x = 2\n"
        "       1 more step of this execution does not matter for the finding\n");
}

TEST_CASE("a trace says where a read takes another write than that of the last step") {
  const Checked checked =
      check("{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\nexists (x == 0)");
  REQUIRE(checked.answer.findings.size() == 1);
  Execution execution = checked.answer.findings[0].witness;
  EventId initial = -1, write = -1, read = -1;
  for (EventId id = 0; id < static_cast<EventId>(execution.events.size()); ++id) {
    const Event& event = execution.events[static_cast<std::size_t>(id)];
    (event.is_read() ? read : event.kind == EventKind::write ? write : initial) = id;
  }
  Event& reading = execution.events[static_cast<std::size_t>(read)];
  execution.reads_from = {{read, initial}};
  reading.value = Bits(reading.value.width(), 0);
  CHECK(trace_text(execution).find("reads x = 0, not what step 1 writes") != std::string::npos);
  execution.reads_from = {{read, write}};
  reading.value = Bits(reading.value.width(), 1);
  CHECK(trace_text(execution).find("reads x = 1\n") != std::string::npos);
}
