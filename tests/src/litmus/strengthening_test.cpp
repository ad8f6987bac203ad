#include "src/litmus/strengthening.hpp"

#include <doctest/doctest.h>

#include "src/litmus/litmus_test.hpp"
#include "src/litmus/strength_changes.hpp"

using namespace ptxmc;

namespace {

/// The sets, each change as its line and what is written there: "5 ld.acquire.gpu r0, f".
std::vector<std::vector<std::string>> found_for(const std::string& text) {
  const LitmusTest test = parse_litmus(text, "test.litmus");
  std::vector<std::vector<std::string>> result;
  for (const auto& set : find_strengthenings(test.program, test.question, cat::load("ptx-8.7"), {}).sets) {
    auto& lines = result.emplace_back();
    for (const Strengthening& change : set)
      lines.push_back(std::to_string(change.where.line) + (change.is_inserted ? " + " : " ") + change.after);
  }
  return result;
}

using Sets = std::vector<std::vector<std::string>>;

std::string message_passing(const std::string& store, const std::string& load) {
  return "PTX MP\n{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | " + load +
         " r0, f ;\n " + store + " f, 1 | ld.weak r1, x ;\nexists (P1:r0 == 1 /\\ P1:r1 == 0)\n";
}

}  // namespace

TEST_CASE("the one side that is missing, or a fence in its place") {
  CHECK(found_for(message_passing("st.release.gpu", "ld.relaxed.gpu")) ==
        Sets{{"4 ld.acquire.gpu r0, f"}, {"5 + fence.acq_rel.gpu"}});
  CHECK(found_for(message_passing("st.relaxed.gpu", "ld.acquire.gpu")) ==
        Sets{{"5 st.release.gpu f, 1"}, {"5 + fence.acq_rel.gpu"}});
}

TEST_CASE("a scope that is too narrow is widened to what has all threads") {
  CHECK(found_for(message_passing("st.release.cta", "ld.acquire.gpu")) == Sets{{"5 st.release.gpu f, 1"}});
  const Sets both = found_for(message_passing("st.release.cta", "ld.acquire.cta"));
  REQUIRE_FALSE(both.empty());
  CHECK(both.front() == std::vector<std::string>{"5 st.release.gpu f, 1", "4 ld.acquire.gpu r0, f"});
}

TEST_CASE("store buffering needs two fences") {
  const Sets sets = found_for(
      "PTX SB\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.relaxed.cta x, 1 | st.relaxed.cta y, 1 "
      ";\n"
      " ld.relaxed.cta r0, y | ld.relaxed.cta r0, x ;\nexists (P0:r0 == 0 /\\ P1:r0 == 0)\n");
  CHECK(sets == Sets{{"5 + fence.sc.cta", "5 + fence.sc.cta"}});
}

TEST_CASE("a fence between proxies, and what no strength forbids") {
  CHECK(found_for("PTX proxy\n{ x=0; s @ surface aliases x; }\n P0@cta 0,gpu 0 ;\n sust.weak s, 1 ;\n"
                  " ld.weak r0, x ;\nexists (P0:r0 == 0)\n") == Sets{{"5 + fence.proxy.surface"}});
  CHECK(found_for("PTX one\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n"
                  "exists (P1:r0 == 0)\n")
            .empty());
}

TEST_CASE("more than two changes: a minimal set") {
  const Sets sets = found_for(message_passing("st.weak", "ld.weak") + "");
  REQUIRE_FALSE(sets.empty());
  CHECK(sets.front() == std::vector<std::string>{"5 st.release.gpu f, 1", "4 ld.acquire.gpu r0, f"});
  const Sets independent = found_for(
      "PTX IRIW\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
      " st.weak x, 1 | ld.weak r0, x | st.weak y, 1 | ld.weak r0, y ;\n | ld.weak r1, y | | ld.weak r1, x ;\n"
      "exists (P1:r0 == 1 /\\ P1:r1 == 0 /\\ P3:r0 == 1 /\\ P3:r1 == 0)\n");
  REQUIRE(independent.size() == 1);
  CHECK(independent.front() == std::vector<std::string>{"4 st.relaxed.gpu x, 1", "4 ld.relaxed.gpu r0, x",
                                                        "5 + fence.sc.gpu", "4 st.relaxed.gpu y, 1",
                                                        "4 ld.relaxed.gpu r0, y", "5 + fence.sc.gpu"});
}

TEST_CASE("inserted instructions leave jumps where they lead") {
  const LitmusTest test = parse_litmus(
      "PTX loop\n{ x=0; }\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n Again: ld.weak r0, x ;\n beq r0, 0, Again ;\n"
      " beq r0, 1, End ;\n ld.weak r1, x ;\n End: ld.weak r2, x ;\nexists (P0:r0 == 1)\n",
      "loop.litmus");
  for (const Strengthening& change : possible_strengthenings(test.program)) {
    if (!change.is_inserted) continue;
    const Program changed = with_changes(test.program, {&change});
    const auto& code = changed.threads[0].code;
    REQUIRE(code.size() == test.program.threads[0].code.size() + 1);
    CHECK(code[change.instruction].text == change.after);
    for (const Instruction& instruction : code)
      for (const Operand& operand : instruction.operands)
        if (const auto* label = std::get_if<Operand::Label>(&operand.is)) {
          const std::string& target = code.at(label->target).text;
          CHECK((target == change.after || target == "ld.weak r0, x" || target == "ld.weak r2, x"));
        }
  }
}
