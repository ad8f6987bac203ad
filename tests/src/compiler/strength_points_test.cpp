#include "src/compiler/strength_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/form.hpp"
#include "src/compiler/annotated_instruction.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

Program program_of(const std::string& header, const std::string& code, const std::string& memory = "x; y;") {
  return parse_litmus("PTX t\n{ " + memory + " }\n" + header + " ;\n" + code + "exists (true)\n", "t.litmus")
      .program;
}

/// "5 release.gpu: weak relaxed.gpu": the line, the given level and the others.
std::vector<std::string> texts_of(const std::vector<StrengthPoint>& points) {
  std::vector<std::string> result;
  for (const StrengthPoint& point : points) {
    std::string text = std::to_string(point.where.line) + (point.is_inserted ? " + " : " ");
    text += point.levels[point.given].name + ":";
    for (const PointLevel& level : point.levels)
      if (&level != &point.levels[point.given]) text += " " + level.name;
    result.push_back(text);
  }
  return result;
}

std::vector<std::string> code_of(const Thread& thread) {
  std::vector<std::string> result;
  for (const Instruction& instruction : thread.code) result.push_back(instruction.text);
  return result;
}

using Texts = std::vector<std::string>;
const std::string two_ctas = " P0@cta 0,gpu 0 | P1@cta 1,gpu 0";

}  // namespace

TEST_CASE("what may be weaker: orders and scopes, and each fence") {
  const Program program = program_of(
      two_ctas,
      " st.release.gpu x, 1 | ld.acquire.gpu r0, y ;\n fence.sc.cta | atom.relaxed.gpu.add r1, x, 1 ;\n"
      " ld.weak r0, x | red.release.gpu.add y, 1 ;\n ld.volatile r1, x | st.volatile x, 1 ;\n");
  CHECK(texts_of(points_to_weaken(program, {})) ==
        Texts{"4 release.gpu: weak relaxed.cta relaxed.gpu release.cta",
              "5 sc.cta: none acquire.cta release.cta acq_rel.cta",
              "4 acquire.gpu: weak relaxed.cta relaxed.gpu acquire.cta", "5 relaxed.gpu: relaxed.cta",
              "6 release.gpu: relaxed.cta relaxed.gpu release.cta"});
}

TEST_CASE("a scope that includes the same threads as a narrower one is not worth its cost") {
  const std::string code = " st.relaxed.sys x, 1 | ld.relaxed.cluster r0, x ;\n";
  CHECK(texts_of(points_to_weaken(program_of(two_ctas, code), {})) ==
        Texts{"4 relaxed.sys: weak relaxed.cta relaxed.gpu", "4 relaxed.cluster: weak relaxed.cta"});
  CHECK(texts_of(points_to_weaken(program_of(" P0@cta 0,gpu 0 | P1@cta 0,gpu 0", code), {})) ==
        Texts{"4 relaxed.sys: weak relaxed.cta", "4 relaxed.cluster: weak relaxed.cta"});
  CHECK(texts_of(
            points_to_weaken(program_of(" P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0", code), {})) ==
        Texts{"4 relaxed.sys: weak relaxed.cta relaxed.cluster", "4 relaxed.cluster: weak relaxed.cta"});
}

TEST_CASE("what may be stronger: accesses, fences, and fences between accesses and barriers") {
  const Program program = program_of(" P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
                                     " st.weak x, 1 | bar.cta.sync 0 ;\n bar.cta.sync 0 | "
                                     "red.relaxed.cta.add x, 1 ;\n | fence.acquire.cta ;\n"
                                     " | ld.relaxed.cta r0, y ;\n");
  const std::string fences = "none: acquire.cta release.cta acq_rel.cta sc.cta";
  CHECK(texts_of(points_to_strengthen(program, {})) ==
        Texts{"4 weak: relaxed.cta release.cta", "5 + " + fences, "5 + " + fences,
              "5 relaxed.cta: release.cta", "6 acquire.cta: acq_rel.cta sc.cta",
              "7 relaxed.cta: acquire.cta"});
}

TEST_CASE("a place behind a label gets a fence of its own: a jump leads past the one before it") {
  const Program program =
      program_of(" P0@cta 0,gpu 0",
                 " ld.relaxed.cta r0, x ;\n beq r0, 0, L ;\n fence.sc.cta ;\n L: st.relaxed.cta y, 1 ;\n");
  const auto points = points_to_strengthen(program, {});
  REQUIRE(points.size() == 3);
  CHECK(points[1].is_inserted);
  CHECK(points[1].written == "st.relaxed.cta y, 1");
}

TEST_CASE("fences of proxies, where memory is accessed through several") {
  const Program program =
      program_of(" P0@cta 0,gpu 0", " sust.weak s, 1 ;\n fence.proxy.surface ;\n ld.weak r0, x ;\n",
                 "x; s @ surface aliases x;");
  CHECK(texts_of(points_to_weaken(program, {})) == Texts{"5 fence.proxy.surface: none"});
  const auto points = points_to_strengthen(program, {});
  CHECK(std::ranges::count_if(points, [](const StrengthPoint& point) {
          return point.levels.back().name == "fence.proxy.surface";
        }) == 2);
}

TEST_CASE("the program with other levels: jumps lead to inserted fences, and past those left out") {
  const Program program = program_of(" P0@cta 0,gpu 0",
                                     " A: ld.relaxed.cta r0, x ;\n beq r0, 0, A ;\n B: fence.sc.cta ;\n"
                                     " C: st.relaxed.cta y, 1 ;\n beq r0, 2, B ;\n beq r0, 3, C ;\n");
  const auto weaker = points_to_weaken(program, {});
  REQUIRE(texts_of(weaker).at(1).starts_with("6 sc.cta:"));
  Assignment assignment = strongest(lattice_of(weaker));
  CHECK(code_of(with_levels(program, weaker, assignment).threads[0]) == code_of(program.threads[0]));
  CHECK(cost_of(weaker, assignment) == 0);
  assignment = {1, 0, 0};
  CHECK(cost_of(weaker, assignment) == -12 - 1);
  const Program without = with_levels(program, weaker, assignment);
  CHECK(code_of(without.threads[0]) == Texts{"ld.relaxed.cta r0, x", "beq r0, 0, A", "beq r0, 0, A",
                                             "st.weak y, 1", "beq r0, 2, B", "beq r0, 2, B", "beq r0, 3, C",
                                             "beq r0, 3, C"});
  CHECK(control_flow(without.threads[0].code[5]).targets == std::vector<Target>{3});
  CHECK(control_flow(without.threads[0].code[7]).targets == std::vector<Target>{3});
  CHECK(control_flow(without.threads[0].code[2]).targets == std::vector<Target>{0});
}

TEST_CASE("annotations of instructions") {
  const Program program =
      program_of(" P0@cta 0,gpu 0",
                 " atom.add r0, x, 1 ;\n membar.gl ;\n fence.gpu ;\n ld r0, x ;\n ld.volatile r0, x ;\n"
                 " fence.proxy.alias ;\n add r0, r0, 1 ;\n");
  const auto& code = program.threads[0].code;
  const auto strength = [&](std::size_t at) { return text_of(annotation_of(code[at])->strength); };
  CHECK(strength(0) == "relaxed.gpu");
  CHECK(strength(1) == "sc.gpu");
  CHECK(strength(2) == "acq_rel.gpu");
  CHECK(strength(3).empty());
  for (std::size_t at = 4; at < 7; ++at) CHECK_FALSE(annotation_of(code[at]));
  const auto changed = [&](std::size_t at, Strength to) {
    return with_strength(code[at], *annotation_of(code[at]), to);
  };
  CHECK(changed(0, {Ordering::acq_rel, Scope::sys})->text == "atom.acq_rel.sys.add r0, x, 1");
  CHECK(changed(1, {Ordering::release, Scope::cta})->text == "fence.release.cta");
  CHECK(changed(3, {Ordering::acquire, Scope::gpu})->text == "ld.acquire.gpu r0, x");
  CHECK_FALSE(changed(3, {Ordering::release, Scope::gpu}));  // PTX has no such load
}
