// The functions of the public header.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "src/library/public.hpp"

using namespace ptxmc::v1;

namespace {

const std::string message_passing = R"(PTX MP
{ data = 0; flag = 0; }
 P0@cta 0,gpu 0            | P1@cta 1,gpu 0            ;
 st.weak data, 42          | ld.acquire.SCOPE r0, flag ;
 st.release.gpu flag, 1    | ld.weak r1, data          ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
)";

std::string message_passing_with(const std::string& scope) {
  std::string text = message_passing;
  return text.replace(text.find("SCOPE"), 5, scope);
}

/// A test with so many executions that no engine lists its final states soon.
std::string large_test() {
  const auto line = [](const std::string& instruction, bool is_store) {
    std::string result;
    for (int thread = 0; thread < 8; ++thread)
      result += (thread == 0 ? " " : " | ") + instruction + (is_store ? std::to_string(thread + 1) : "");
    return result + " ;\n";
  };
  std::string threads;
  for (int thread = 0; thread < 8; ++thread)
    threads += (thread == 0 ? " P" : " | P") + std::to_string(thread);
  return "PTX large\n{ x = 0; }\n" + threads + " ;\n" + line("st.relaxed.gpu x, ", true) +
         line("ld.relaxed.gpu r0, x", false) + line("ld.relaxed.gpu r1, x", false) +
         "exists (P0:r0 == 2 /\\ P0:r1 == 3 /\\ P1:r1 == 1 /\\ P2:r0 == 2 /\\ P2:r1 == 1 /\\ P3:r0 == 1 /\\ "
         "P3:r1 == 2)\n";
}

const std::string module_text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .u64 %rd<3>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd2], %r1;
  ret;
}
)";

const std::string launch_text = R"(module = "k.ptx"
grid = [1]
block = [2]
[[param]]
name = "p"
buffer = "u32[1]"
)";

const Relation* relation(const Execution& execution, const std::string& name) {
  for (const Relation& one : execution.relations)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace

TEST_CASE("a litmus test is decided with its states and an execution") {
  const LitmusTest test = parse_litmus(message_passing_with("cta"));
  CHECK(test.name() == "MP");
  CHECK(test.condition() == "exists (1:r0=1 /\\ 1:r1=0)");
  const LitmusAnswer answer = decide(test);
  CHECK(answer.model == "ptx-8.7");
  CHECK(answer.verdict == Verdict::allowed);
  CHECK(answer.word == "allowed");
  CHECK(answer.holds == true);
  CHECK_FALSE(answer.as_expected);
  REQUIRE(answer.states.size() == 4);
  CHECK(answer.states_complete);
  CHECK(answer.states[3].values[1].name == "P1:r1");
  CHECK(answer.states[3].values[1].text == "42");
  CHECK(answer.states[3].values[1].bits == 42);
  REQUIRE(answer.execution);
  const Execution& execution = *answer.execution;
  REQUIRE(relation(execution, "rf"));
  bool reads_flag = false;
  for (const auto& [from, to] : relation(execution, "rf")->pairs) {
    const Event &write = execution.events.at(from), &read = execution.events.at(to);
    CHECK(read.kind == "read");
    CHECK(read.location == write.location);
    CHECK(read.value == write.value);
    reads_flag |= read.location == "flag" && write.instruction == "st.release.gpu flag, 1" &&
                  write.line == 5 && write.thread == "P0" && write.order == "release" &&
                  write.scope == "gpu" && read.order == "acquire";
  }
  CHECK(reads_flag);
  CHECK(relation(execution, "po"));
  CHECK(relation(execution, "co"));
  CHECK(to_dot(execution).find("digraph") != std::string::npos);
  CHECK(to_text(execution).find("st.release.gpu flag, 1") != std::string::npos);
}

TEST_CASE("options say what is asked") {
  const LitmusTest test = parse_litmus(message_passing_with("gpu"));
  LitmusOptions options;
  options.count_executions = true;
  options.state_executions = true;
  options.engine = Engine::both;
  const LitmusAnswer answer = decide(test, options);
  CHECK(answer.verdict == Verdict::forbidden);
  CHECK(answer.executions == 3);
  CHECK_FALSE(answer.execution);
  for (const State& state : answer.states) {
    CHECK(state.executions == 1);
    REQUIRE(state.execution);
    CHECK(relation(*state.execution, "co"));
  }
  options.property = LitmusProperty::race;
  const LitmusAnswer race = decide(parse_litmus(message_passing_with("cta")), options);
  CHECK(race.word == "race");
  CHECK(race.findings.size() == 2);
  options.property = LitmusProperty::condition;
  options.model = Model("sc");
  CHECK(decide(test, options).model == "sc");
  options.model = Model::from_text("\"anything goes\"\nempty 0 as nothing\n", "loose.cat");
  CHECK(decide(test, options).verdict == Verdict::allowed);
}

TEST_CASE("errors have their kind and position") {
  const auto error_of = [](const auto& work) -> Error {
    try {
      work();
    } catch (const Error& error) {
      return error;
    }
    FAIL("no error");
    throw std::logic_error("not reached");
  };
  const Error wrong = error_of(
      [] { parse_litmus("PTX a\n{ x = 0; }\n P0 ;\n st.weka x, 1 ;\nexists (x == 1)\n", "a.litmus"); });
  CHECK(wrong.kind == Error::Kind::wrong_input);
  CHECK(wrong.file == "a.litmus");
  CHECK(wrong.line == 4);
  CHECK(wrong.column == 4);
  CHECK(wrong.diagnostics.size() == 1);
  const Error model = error_of([] { Model("ptx-9.9"); });
  CHECK(model.kind == Error::Kind::wrong_input);
  CHECK(std::string(model.what()).find("ptx-8.7") != std::string::npos);
  const Error cat = error_of([] { Model::from_text("PTX \"m\"\nacyclic unknown as a\n", "m.cat"); });
  CHECK(cat.file == "m.cat");
  CHECK(cat.line == 2);
  CHECK(error_of([] { read_launch("no/such.toml"); }).file == "no/such.toml");
  CHECK(error_of([] { parse_launch("modul = 1\n", "l.toml"); }).line == 1);
  CHECK(error_of([] { to_dot({}); }).kind == Error::Kind::wrong_input);
  const Error module = error_of([] { check(parse_launch_with_module(launch_text, module_text + "bad\n")); });
  CHECK(module.file == "k.ptx");
  CHECK(module.line == 14);
}

TEST_CASE("a launch is decided from texts") {
  const Launch launch = parse_launch_with_module(launch_text, module_text, "folder/launch.toml");
  CHECK(launch.module().generic_string() == "folder/k.ptx");
  const LaunchAnswer answer = check(launch);
  CHECK(answer.entries == std::vector<std::string>{"k"});
  CHECK(answer.verdicts == std::vector<std::string>{"race"});
  CHECK(answer.unknown.empty());
  REQUIRE(answer.findings.size() == 1);
  const Finding& race = answer.findings.front();
  CHECK(race.property == LaunchProperty::race);
  CHECK(race.place.line == 11);
  REQUIRE(race.other);
  CHECK(race.other->line == 11);
  CHECK(race.threads.size() == 2);
  REQUIRE(race.execution);
  CHECK(to_text(*race.execution).find("st.global.u32") != std::string::npos);
  LaunchOptions only;
  only.properties = {LaunchProperty::assertion};
  CHECK(check(launch, only).verdicts == std::vector<std::string>{"safe"});
  const StatesAnswer states = find_states(launch, {{"p[0]"}, "p[0] == 1"});
  CHECK(states.verdict == Verdict::allowed);
  CHECK(states.states.size() == 2);
  CHECK(states.states[1].values[0].name == "p[0]");
  CHECK(states.execution);
  CHECK(name_of(LaunchProperty::out_of_bounds) == "out-of-bounds");
  CHECK(find_launch_property("deadlock") == LaunchProperty::deadlock);
  CHECK_FALSE(find_launch_property("dead"));
}

TEST_CASE("answers outlive the tests and launches they are about") {
  const Execution execution = *decide(parse_litmus(message_passing_with("cta"))).execution;
  CHECK(to_text(execution).find("flag") != std::string::npos);
  const Execution race = *check(parse_launch_with_module(launch_text, module_text)).findings.at(0).execution;
  CHECK(to_dot(race).find("st.global.u32") != std::string::npos);
}

TEST_CASE("a callback stops a decision, and so does a flag or the time") {
  const LitmusTest test = parse_litmus(large_test());
  for (const Engine engine : {Engine::explorer, Engine::smt}) {
    LitmusOptions options;
    options.engine = engine;
    int calls = 0;
    options.on_progress = [&](const Progress& progress) {
      CHECK(progress.seconds > 0);
      return ++calls < 3;
    };
    const auto start = std::chrono::steady_clock::now();
    const LitmusAnswer stopped = decide(test, options);
    CHECK_FALSE(stopped.states_complete);
    if (stopped.verdict == Verdict::unknown) CHECK(stopped.reason == "interrupted");
    CHECK(calls == 3);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    options.on_progress = [](const Progress&) -> bool { throw 7; };
    CHECK_THROWS_AS(decide(test, options), int);
    options.on_progress = {};
    std::atomic<bool> stop = true;
    options.stop = &stop;
    CHECK_FALSE(decide(test, options).states_complete);
    options.stop = nullptr;
    options.timeout_seconds = 0.2;
    CHECK_FALSE(decide(test, options).states_complete);
  }
}

TEST_CASE("several threads decide at the same time, each with its own limits") {
  const LitmusTest shared = parse_litmus(message_passing_with("cta"));
  const LitmusTest large = parse_litmus(large_test());
  std::vector<std::string> faults(6);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < faults.size(); ++i)
    threads.emplace_back([&, i] {
      const auto expect = [&](bool is_so, const char* what) {
        if (!is_so) faults[i] += what;
      };
      for (int round = 0; round < 3; ++round) {
        LitmusOptions options;
        options.engine = i % 2 == 0 ? Engine::both : Engine::automatic;
        expect(decide(shared, options).states.size() == 4, "states ");
        options.model = Model(i % 3 == 0 ? "ptx-6.4" : "ptx-7.5");
        expect(decide(parse_litmus(message_passing_with("gpu")), options).verdict == Verdict::forbidden,
               "gpu ");
        expect(check(parse_launch_with_module(launch_text, module_text)).verdicts.at(0) == "race", "race ");
        LitmusOptions stopped;
        stopped.on_progress = [](const Progress&) { return false; };
        if (i == 1) expect(!decide(large, stopped).states_complete, "interrupted ");
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& fault : faults) CHECK(fault.empty());
}

TEST_CASE("models come along") {
  const std::vector<std::string> names = model_names();
  CHECK(std::find(names.begin(), names.end(), "ptx-8.7") != names.end());
  CHECK(Model("ptx-6.4").name() == "ptx-6.4");
  CHECK(std::string(version()).find('.') != std::string::npos);
}
