// The functions of the public header that ask many questions, and `run`.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

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

TEST_CASE("a smaller pair that differs is found") {
  const auto with_third_thread = [](const std::string& store) {
    return parse_litmus(
        "PTX MP\n{ x=0; f=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n"
        " st.weak x, 1 | ld.acquire.gpu r0, f | st.weak y, 1 ;\n " +
        store + " f, 1 | ld.weak r1, x | ;\nexists (P1:r0 == 1 /\\ P1:r1 == 0)\n");
  };
  CompareOptions options;
  options.reduce = true;
  const Comparison found =
      compare(with_third_thread("st.release.gpu"), with_third_thread("st.relaxed.gpu"), options);
  CHECK(found.refines == false);
  REQUIRE(found.smaller);
  CHECK(found.smaller->tried > 0);
  CHECK(found.smaller->source.find("P2") == std::string::npos);
  CHECK(compare(parse_litmus(found.smaller->source), parse_litmus(found.smaller->target)).refines == false);
  CHECK_FALSE(compare(parse_litmus(source_text), parse_litmus(source_text), options).smaller);
  const Launch launch = launch_of(store_own);
  CHECK_THROWS_AS(compare(parse_litmus(source_text), launch, options), Error);
}

TEST_CASE("axioms explain why a condition is forbidden") {
  const Explanation why = explain(parse_litmus(source_text));
  REQUIRE(why.axioms.size() == 1);
  CHECK(why.axioms[0].name == "causality");
  CHECK(why.axioms[0].breaks_no_other);
  REQUIRE(why.axioms[0].execution);
  CHECK(to_text(*why.axioms[0].execution).find("ld.weak r1, x") != std::string::npos);
  CHECK(why.text.find("causality") != std::string::npos);
  CHECK(why.reason.empty());

  Options options;
  options.executions = false;
  CHECK_FALSE(explain(parse_litmus(source_text), options).axioms.at(0).execution);
  CHECK(explain(parse_litmus(weaker_text)).axioms.empty());
}

TEST_CASE("tests are generated from cycles") {
  GenerateOptions options;
  options.cycles.edges = "PodWW, PodRR, PodWR, Rfe, Fre";
  std::set<std::string> names;
  const std::uint64_t tests = generate(options, [&](const SmallTest& test) {
    CHECK(parse_litmus(test.text).name() == test.name);
    CHECK(test.threads <= options.cycles.threads);
    names.insert(test.name);
    return true;
  });
  CHECK(tests == count_generated(options));
  CHECK(names.size() == tests);
  CHECK(names.contains("MP"));
  CHECK(names.contains("SB"));

  CHECK(generate(options, [](const SmallTest&) { return false; }) == 1);
  CHECK_THROWS_AS(generate(options, [](const SmallTest&) -> bool { throw std::out_of_range("full"); }),
                  std::out_of_range);
  options.named = {"PodWW release.gpu Rfe acquire.gpu PodRR Fre"};
  options.cycles.scopes = "cta, gpu";
  std::vector<std::string> placements;
  generate(options, [&](const SmallTest& test) {
    CHECK(test.cycle == options.named[0]);
    CHECK(test.instructions == 4);
    placements.push_back(test.placement);
    return true;
  });
  CHECK(placements == std::vector<std::string>{"cta", "gpu"});
  options.named = {"PodXX Fre"};
  CHECK_THROWS_AS(count_generated(options), Error);
}

TEST_CASE("the smallest test tells two models apart") {
  DistinguishOptions options;
  options.cycles.edges = "PodWR, Fre";
  options.cycles.accesses = "weak";
  const Distinction found = distinguish("sc", "ptx-8.7", options);
  REQUIRE(found.difference);
  CHECK(found.difference->test.name == "SB");
  CHECK(found.difference->test.instructions == 4);
  CHECK(found.difference->first == Verdict::forbidden);
  CHECK(found.difference->second == Verdict::allowed);
  CHECK(found.difference->axioms == std::vector<std::string>{"sequential_consistency"});
  REQUIRE(found.difference->execution);
  CHECK(found.difference->execution->events.size() > 4);
  CHECK(found.difference->text.find("an execution of ptx-8.7:") != std::string::npos);

  const Distinction same = distinguish("ptx-7.5", "ptx-8.7", options);
  CHECK_FALSE(same.difference);
  CHECK(same.complete);
  CHECK(same.tests > 0);
  CHECK(same.reason.empty());

  options.tests = {parse_litmus(source_text), parse_litmus(weaker_text)};
  const Distinction given = distinguish("sc", "ptx-8.7", options);
  REQUIRE(given.difference);
  CHECK(given.difference->test.text == weaker_text);
  CHECK(given.difference->test.cycle.empty());

  const std::atomic<bool> stop = true;
  options.stop = &stop;
  const Distinction stopped = distinguish("sc", "ptx-8.7", options);
  CHECK_FALSE(stopped.complete);
  CHECK_FALSE(stopped.difference);
}

TEST_CASE("each line of a model has a test that needs it") {
  DistinguishOptions options;
  options.cycles.edges = "PodWR, PodRR, PosRR, Rfe, Fre";
  options.cycles.accesses = "weak";
  options.instructions = 4;
  options.cycles.threads = 2;
  const Model model = Model::from_text(
      "let hb = po | rf | fr\nacyclic hb as order\nempty rmw & (fr; co) as atomicity\n", "small.cat");
  const LineDistinction found = distinguish_lines(model, options);
  const auto without = [&](const std::string& change) {
    const auto at = std::ranges::find_if(found.lines, [&](const LineDifference& line) {
      return line.change.find(change) != std::string::npos;
    });
    REQUIRE(at != found.lines.end());
    return *at;
  };
  const LineDifference order = without("order");
  CHECK(order.line == 2);
  CHECK(order.file == "small.cat");
  REQUIRE(order.difference);
  CHECK(order.difference->first == Verdict::forbidden);
  CHECK(order.difference->second == Verdict::allowed);
  CHECK_FALSE(without("atomicity").difference);
}

TEST_CASE("mappings are checked on small programs") {
  MappingOptions options;
  options.mappings = {"asplos-2019"};
  options.kinds = {"load", "store"};
  options.operations = 1;
  std::size_t shapes = 0;
  options.on_shape = [&](unsigned, std::size_t done, std::size_t, std::uint64_t) { shapes = done; };
  const MappingAnswer right = check_mappings(options);
  CHECK_FALSE(right.counterexample);
  CHECK(right.unknown.empty());
  CHECK(right.programs > 0);
  CHECK(shapes > 0);

  options = {};
  options.mappings = {std::string(PTXMC_SOURCE_DIR) + "/docs/examples/mappings/relaxed-load.mapping"};
  const MappingAnswer wrong = check_mappings(options);
  REQUIRE(wrong.counterexample);
  const LitmusTest source = parse_litmus(wrong.counterexample->source);
  CHECK(source.is_cpp());
  const Comparison found = compare(source, compiled(source, options.mappings.front()));
  CHECK(found.refines == false);
  CHECK(compare(source, compiled(source, "asplos-2019")).refines == true);

  options.kinds = {"jump"};
  CHECK_THROWS_AS(check_mappings(options), Error);
  options.kinds = {};
  options.scope = "planet";
  CHECK_THROWS_AS(check_mappings(options), Error);
  options.mappings = {};
  CHECK_THROWS_AS(check_mappings(options), Error);
}
