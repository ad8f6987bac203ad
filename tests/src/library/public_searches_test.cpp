// The functions of the public header that ask many questions, and `run`.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "src/library/public.hpp"

using namespace ptxmc::v1;

namespace {

const std::string condition = "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";

std::string message_passing(const std::string& store, const std::string& load) {
  return "PTX MP\n{ x=0; f=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | " + load +
         " r0, f ;\n " + store + " f, 1 | ld.weak r1, x ;\n";
}

const std::string source_text = message_passing("st.release.gpu", "ld.acquire.gpu") + "~" + condition;
const std::string weaker_text = message_passing("st.relaxed.gpu", "ld.acquire.gpu") + "~" + condition;

Launch launch_of(const std::string& body, const std::string& more = "") {
  const std::string module = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .pred %p<2>;
  .reg .u64 %rd<4>;
  .reg .u32 %r<4>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
)" + body + "  ret;\n}\n";
  return parse_launch_with_module("module = \"k.ptx\"\ngrid = [1]\nblock = [2]\n" + more +
                                      "[[param]]\nname = \"p\"\nbuffer = \"u32[2]\"\n",
                                  module);
}

const std::string store_own =
    "  mul.wide.u32 %rd3, %r1, 4;\n  add.u64 %rd3, %rd2, %rd3;\n"
    "  st.global.u32 [%rd3], %r1;\n";

}  // namespace

TEST_CASE("a target is compared with its source") {
  const LitmusTest source = parse_litmus(source_text), weaker = parse_litmus(weaker_text);
  const Comparison same = compare(source, source);
  CHECK(same.refines == true);
  CHECK(same.extra.empty());
  CHECK(same.missing == std::size_t{0});
  CHECK_FALSE(same.execution);

  const Comparison found = compare(source, weaker);
  CHECK(found.refines == false);
  REQUIRE(found.extra.size() == 1);
  REQUIRE(found.observed.size() == found.extra[0].values.size());
  const auto value = [&](const std::string& name) {
    const auto at = std::ranges::find(found.extra[0].values, name, &Value::name);
    REQUIRE(at != found.extra[0].values.end());
    return at->bits;
  };
  CHECK(value("1:r0") == 1);
  CHECK(value("1:r1") == 0);
  CHECK(found.axioms == std::vector<std::string>{"causality"});
  REQUIRE(found.execution);
  CHECK(to_text(*found.execution).find("st.relaxed.gpu f, 1") != std::string::npos);
  CHECK(found.text.find("only in the target: ") != std::string::npos);
  CHECK(compare(weaker, source).missing == std::size_t{1});

  CompareOptions options;
  options.observe = "1:r0=1:r0";
  CHECK(compare(source, weaker, options).refines == true);
  options.observe = "9:r0=1:r0";
  CHECK_THROWS_AS(compare(source, weaker, options), Error);
  options = {};
  options.source_model = "ptx-6.4";
  CHECK(compare(source, weaker, options).refines == false);
  CHECK(compare(source, weaker, options).source_model == "ptx-6.4");
  CHECK(compare(source, weaker, options).target_model == "ptx-8.7");
}

TEST_CASE("a launch is compared with a test") {
  const LitmusTest source = parse_litmus(
      "PTX stores\n{ a=0; b=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.weak a, 0 | st.weak b, 1 ;\n"
      "exists (a == 0)\n");
  const Launch target = launch_of(store_own);
  CompareOptions options;
  CHECK_THROWS_AS(compare(source, target, options), Error);  // nothing says what is observed
  options.observe = "a=p[0];b=p[1]";
  CHECK(compare(source, target, options).refines == true);
  options.observe = "a=p[1];b=p[0]";
  CHECK(compare(source, target, options).refines == false);
}

TEST_CASE("the fences of a test: what is too strong, and what is missing") {
  const LitmusTest strong =
      parse_litmus(message_passing("st.release.sys", "ld.acquire.gpu") + "~" + condition);
  const FenceAnswer wasted = find_fences(strong);
  CHECK(wasted.holds);
  CHECK(wasted.complete);
  CHECK(wasted.property == "condition");
  const auto release = std::ranges::find(wasted.annotations, "release.sys", &Annotation::level);
  REQUIRE(release != wasted.annotations.end());
  CHECK(release->status == "wasted");
  CHECK(release->enough == std::vector<std::string>{"release.gpu"});
  REQUIRE(wasted.program);
  CHECK(wasted.program->find("st.release.gpu f, 1") != std::string::npos);
  CHECK(find_fences(parse_litmus(*wasted.program)).assignments.front().cost == 0);

  const FenceAnswer missing = find_fences(parse_litmus(weaker_text));
  CHECK_FALSE(missing.holds);
  CHECK_FALSE(missing.lost.empty());
  REQUIRE_FALSE(missing.assignments.empty());
  const Assignment& cheapest = missing.assignments.front();
  CHECK(cheapest.cost > 0);
  REQUIRE_FALSE(cheapest.changes.empty());
  CHECK(missing.annotations.at(cheapest.changes[0].annotation).status == "missing");
  REQUIRE(missing.program);
  CHECK(decide(parse_litmus(*missing.program)).holds == true);
}

TEST_CASE("the options for fences are those of a test") {
  FenceOptions options;
  options.same_outcomes = true;
  options.trials = FenceOptions::Trials::said;
  const FenceAnswer answer = find_fences(parse_litmus(source_text), options);
  CHECK(answer.property == "outcomes");
  CHECK_THROWS_AS(find_fences(launch_of(store_own), options), Error);
  options = {};
  options.costs = "/no/such/file";
  CHECK_THROWS_AS(find_fences(parse_litmus(source_text), options), Error);
  CHECK(find_fences(launch_of(store_own)).property == "safe");
}

TEST_CASE("a launch is executed once") {
  const RunAnswer answer = run(launch_of(store_own, "expect = [\"race\"]\n"));
  CHECK(answer.entries == std::vector<std::string>{"k"});
  CHECK(answer.findings.empty());
  CHECK(answer.open == std::vector<std::string>{"race"});
  CHECK(answer.instructions > 0);
  REQUIRE(answer.buffers.size() == 1);
  CHECK(answer.buffers[0].name == "p");
  CHECK(answer.buffers[0].elements == std::vector<std::string>{"0", "1"});
}

TEST_CASE("an execution shows what it finds, with its place") {
  const RunAnswer outside = run(launch_of("  st.global.u32 [%rd2+8], %r1;\n"));
  REQUIRE_FALSE(outside.findings.empty());
  const RunFinding& finding = outside.findings.front();
  CHECK(finding.kind == "out-of-bounds");
  REQUIRE_FALSE(finding.calls.empty());
  CHECK(finding.calls[0].place.line == 12);
  RunOptions options;
  options.max_steps = 3;
  CHECK(run(launch_of(store_own), options).findings.front().kind == "step-limit");
  CHECK_THROWS_AS(run(launch_of("  no.such.instruction;\n")), Error);
}
