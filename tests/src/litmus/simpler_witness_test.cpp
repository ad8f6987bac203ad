#include "solver/encoding/simpler_witness.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "model/judge/judge.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

const LitmusTest& kept(LitmusTest test) {
  static std::vector<std::unique_ptr<LitmusTest>> tests;  // executions point to their programs
  return *tests.emplace_back(std::make_unique<LitmusTest>(std::move(test)));
}

/// The execution that an engine shows for the condition, and the simpler one.
std::pair<Execution, Execution> witnesses(Engine engine, const std::string& text) {
  const LitmusTest& test = kept(parse_litmus(text, "t.litmus"));
  const Answer answer = decide_with(engine, test.program, test.question, cat::load("ptx-8.7"), {});
  REQUIRE(answer.witness);
  return {*answer.witness, simpler_witness(cat::load("ptx-8.7"), *answer.witness)};
}

using Sources = std::map<EventId, std::set<int>>;  // threads, by read

Sources sources_of(const Execution& execution) {
  Sources sources;
  for (const ReadsFrom& rf : execution.reads_from)
    sources[rf.read].insert(execution.events[static_cast<std::size_t>(rf.write)].thread);
  return sources;
}

bool is_composed(const Execution& execution) {
  std::map<EventId, std::set<EventId>> writes;
  for (const ReadsFrom& rf : execution.reads_from) writes[rf.read].insert(rf.write);
  return std::ranges::any_of(writes, [](const auto& of) { return of.second.size() > 1; });
}

}  // namespace

TEST_CASE("a read that may be put together from two writes or come from one comes from one") {
  for (const Engine engine : {Engine::explorer, Engine::smt}) {
    const auto [found, simpler] = witnesses(engine, R"(PTX t { x : u32 = 0; }
      P0@cta 0,gpu 0    | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;
      st.weak.u8 [x], 0 |                |                ;
      bar.sync 0        | bar.sync 0     | bar.sync 0     ;
                        | st.weak x, 1   | ld.weak r0, x  ;
      exists (P2:r0 == 1))");
    CHECK(is_composed(found));
    CHECK_FALSE(is_composed(simpler));
    CHECK(simpler.final_registers[2][0].to_u64() == 1);
    CHECK(judge(cat::load("ptx-8.7"), simpler).accepted());
  }
}

TEST_CASE("reads stay composed where no single write has the value") {
  const auto [found, simpler] = witnesses(Engine::explorer, R"(PTX t { x : u32 = 0; }
    P0@cta 0,gpu 0    | P1@cta 0,gpu 0    | P2@cta 0,gpu 0 ;
    st.weak.u8 [x], 5 |                   |                ;
    bar.sync 0        | bar.sync 0        | bar.sync 0     ;
                      | st.weak x, 0x0101 | ld.weak r0, x  ;
    exists (P2:r0 == 0x0105))");
  CHECK(is_composed(simpler));
  CHECK(sources_of(simpler) == sources_of(found));
}

TEST_CASE("reads come from few threads") {
  const std::string text = R"(PTX t { x; y; }
    P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;
    st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, x ;
    st.relaxed.gpu y, 1 | | ld.relaxed.gpu r1, y ;
    exists (P2:r0 == 1 /\ P2:r1 == 1))";
  for (const Engine engine : {Engine::explorer, Engine::smt}) {
    const auto [found, simpler] = witnesses(engine, text);
    std::set<int> threads;
    for (const auto& [read, from] : sources_of(simpler)) threads.insert(from.begin(), from.end());
    CHECK(threads == std::set{0});
  }
}

// With f from P0, which gives z as well, the write of 1 to x would come before that of 2.
TEST_CASE("final values stay possible") {
  const auto [found, simpler] = witnesses(Engine::smt, R"(PTX t { x; f; z; }
    P0@cta 0,gpu 0      | P1@cta 1,gpu 0      | P2@cta 2,gpu 0       ;
    st.weak x, 1        | st.relaxed.gpu f, 1 | ld.acquire.gpu r0, f ;
    st.release.gpu f, 1 |                     | st.weak x, 2         ;
    st.relaxed.gpu z, 1 |                     | ld.relaxed.gpu r1, z ;
    exists (P2:r0 == 1 /\ P2:r1 == 1 /\ x == 1))");
  std::set<int> threads;
  for (const auto& [read, from] : sources_of(simpler)) threads.insert(from.begin(), from.end());
  CHECK(threads == std::set{0, 1});
  CHECK(judge(cat::load("ptx-8.7"), simpler).accepted());
}
