#include "src/kernel/unfolding/final_states.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/machine/run.hpp"
#include "src/report/herd_output.hpp"
#include "tests/src/kernel/launch_files.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

/// A launch of CTAs of one thread each, or of more. `code` runs in all with the number of the CTA in %r0 and
/// the address of `x` (four elements, all 0) in %x.
Launch launch_of(const std::string& code, unsigned ctas = 2, unsigned threads = 1) {
  const std::string module =
      ".version 8.7\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 px) {\n"
      "  .reg .b64 %x; .reg .b32 %r<9>; .reg .pred %p<4>;\n"
      "  ld.param.u64 %x, [px];\n  mov.u32 %r0, %ctaid.x;\n" +
      code + "\n}\n";
  test::written_file("states.ptx", module);
  const std::string text = "module = \"states.ptx\"\nentry = \"k\"\ngrid = [" + std::to_string(ctas) +
                           "]\nblock = [" + std::to_string(threads) +
                           "]\n"
                           "[[param]]\nname = \"x\"\nbuffer = \"s32[4]\"\ninit = 0\n";
  const auto file = test::written_file("states.toml", text);
  return read_launch(file);
}

/// Store buffering: each thread writes its element and reads that of the other, into x[2] or x[3].
std::string store_buffering(const std::string& fence) {
  return "  setp.eq.u32 %p0, %r0, 0;\n"
         "  @%p0 st.relaxed.gpu.u32 [%x], 1;\n  @!%p0 st.relaxed.gpu.u32 [%x+4], 1;\n" +
         fence +
         "\n  @%p0 ld.relaxed.gpu.u32 %r1, [%x+4];\n  @!%p0 ld.relaxed.gpu.u32 %r1, [%x];\n"
         "  @%p0 st.u32 [%x+8], %r1;\n  @!%p0 st.u32 [%x+12], %r1;\n  ret;";
}

LaunchStates states_of(const Launch& launch, const StatesQuestion& asked, Engine engine = Engine::both) {
  return final_states(launch, asked, cat::load("ptx-8.7"), {}, engine);
}

std::set<std::string> texts(const LaunchStates& found) {
  std::set<std::string> result;
  for (const FinalState& state : found.answer.states)
    result.insert(state_text(state, found.answer, found.unfolded->program, Naming::launch));
  return result;
}

}  // namespace

// PTX ISA 8.7 § 8.10: without fence.sc both reads may miss the other write; with it one of them does not.
TEST_CASE("the final states of a launch are those of its executions") {
  const StatesQuestion asked = {{"x[2]", "x[3]"}, ""};
  const LaunchStates relaxed = states_of(launch_of(store_buffering("")), asked);
  CHECK(relaxed.answer.states_complete);
  CHECK(texts(relaxed) ==
        std::set<std::string>{"x[2]=0; x[3]=0;", "x[2]=0; x[3]=1;", "x[2]=1; x[3]=0;", "x[2]=1; x[3]=1;"});
  const LaunchStates fenced = states_of(launch_of(store_buffering("  fence.sc.gpu;")), asked);
  CHECK(texts(fenced) == std::set<std::string>{"x[2]=0; x[3]=1;", "x[2]=1; x[3]=0;", "x[2]=1; x[3]=1;"});
}

TEST_CASE("a condition is decided on the final states, which show its elements") {
  const std::string both_missed = "x[2] + x[3] == 0";
  const LaunchStates relaxed = states_of(launch_of(store_buffering("")), {{}, both_missed});
  CHECK(relaxed.answer.holds == true);
  REQUIRE(relaxed.answer.witness);
  CHECK(relaxed.answer.shown.size() == 2);
  const LaunchStates fenced = states_of(launch_of(store_buffering("  fence.sc.gpu;")), {{}, both_missed});
  CHECK(fenced.answer.verdict == Verdict::forbidden);
  CHECK(fenced.answer.holds == false);
  CHECK_FALSE(fenced.answer.witness);
}

TEST_CASE("the name of a buffer stands for all of its elements") {
  const LaunchStates all = states_of(launch_of("  st.u32 [%x], %r0;\n  ret;"), {{"x"}, ""});
  CHECK(texts(all) ==
        std::set<std::string>{"x[0]=0; x[1]=0; x[2]=0; x[3]=0;", "x[0]=1; x[1]=0; x[2]=0; x[3]=0;"});
}

TEST_CASE("an execution that does not end has no final state") {
  const std::string trap =
      "  setp.eq.u32 %p0, %r0, 0;\n  @%p0 st.relaxed.gpu.u32 [%x], 1;\n"
      "  @!%p0 ld.relaxed.gpu.u32 %r1, [%x];\n  mov.u32 %r2, 1;\n"
      "  @%p0 bra DONE;\n  setp.eq.u32 %p1, %r1, 0;\n  @%p1 trap;\n"
      "  st.u32 [%x+4], %r1;\nDONE:\n  ret;";
  CHECK(texts(states_of(launch_of(trap), {{"x[0]", "x[1]"}, ""})) ==
        std::set<std::string>{"x[0]=1; x[1]=1;"});
}

TEST_CASE("names that are no element of the launch are errors") {
  const Launch launch = launch_of("  ret;");
  CHECK_THROWS_WITH_AS(states_of(launch, {{"y"}, ""}),
                       "found `y`, expected a buffer or a global variable of the launch: x", InputError);
  CHECK_THROWS_WITH_AS(states_of(launch, {{"x[4]"}, ""}), "found `x[4]`, but `x` has 4 elements", InputError);
  CHECK_THROWS_AS(states_of(launch, {{"x[1"}, ""}), InputError);
  CHECK_THROWS_AS(states_of(launch, {{}, "x[9] == 1"}), InputError);
}

TEST_CASE("what one interleaving leaves in memory is a final state") {
  const Launch launch = launch_of(store_buffering(""));
  const std::set<std::string> allowed = texts(states_of(launch, {{"x"}, ""}));
  const syntax::Module module = read_module_of(launch);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RunOptions options;
    options.seed = seed;
    const RunResult result = run_launch(launch, module, options, [](const std::string&) {});
    std::string state;
    for (std::size_t i = 0; i < 4; ++i)
      state += fmt::format("{}x[{}]={};", i == 0 ? "" : " ", i, result.buffers.at(0).elements.at(i));
    CHECK(allowed.contains(state));
  }
}

// litmus/read-modify-write/idle-update-read-weakly as a kernel: the iteration of CTA 1 that leaves 1 as it is
// cannot be left out, since the weak load of CTA 0 may take its 1 before CTA 0 itself has written one.
TEST_CASE("no state is lost with an update that changes nothing and races with a weak load") {
  const std::string code =
      "  setp.eq.u32 %p0, %r0, 0;\n  setp.eq.u32 %p1, %r0, 1;\n  @%p1 bra ONE;\n  @!%p0 bra TWO;\n"
      "  ld.weak.u32 %r1, [%x];\n  st.relaxed.gpu.u32 [%x], 1;\n  st.u32 [%x+4], %r1;\n  ret;\n"
      "ONE:\n  atom.relaxed.gpu.max.u32 %r2, [%x], 1;\n  setp.eq.u32 %p2, %r2, 1;\n  @%p2 bra ONE;\n"
      "  st.u32 [%x+8], %r2;\n  ret;\nTWO:\n  st.relaxed.gpu.u32 [%x], 2;\n  ret;";
  const LaunchStates found = states_of(launch_of(code, 3), {{}, "x[1] == 1 && x[2] == 2"}, Engine::automatic);
  CHECK(found.answer.verdict == Verdict::allowed);
}

// PTX ISA 8.7 § 9.7.13.3: a thread that has arrived must wait before it arrives again.
TEST_CASE("an undefined execution leaves the final states open") {
  const LaunchStates found = states_of(
      launch_of("  setp.eq.u32 %p0, %r0, 0;\n  @%p0 barrier.cluster.arrive;\n  barrier.cluster.arrive;\n"
                "  barrier.cluster.wait;\n  st.u32 [%x], 1;\n  ret;"),
      {{}, "x[0] == 0"});
  CHECK_FALSE(found.answer.states_complete);
  CHECK(found.answer.states.empty());
  CHECK(found.answer.verdict == Verdict::unknown);
  CHECK(found.answer.reason == "some execution is undefined: ptxmc check names the use");
}

TEST_CASE("a register that is never written makes a final state for each of its values") {
  const Launch launch = launch_of("  and.b32 %r2, %r1, 1;\n  st.relaxed.gpu.u32 [%x], %r2;\n  ret;", 1);
  CHECK(texts(states_of(launch, {{"x[0]"}, ""}, Engine::automatic)) ==
        std::set<std::string>{"x[0]=0;", "x[0]=1;"});
  CHECK_THROWS_AS(states_of(launch, {{"x[0]"}, ""}, Engine::explorer), Unsupported);
}

// A lane waits at a barrier for its warp (PTX ISA 8.7 § 9.7.13.3), and the other one at an exchange for it.
TEST_CASE("a launch in which threads wait for each other has no final state") {
  const auto states_with = [](const std::string& first, const std::string& second) {
    const std::string code = "  mov.u32 %r1, %tid.x;\n  setp.eq.u32 %p0, %r1, 0;\n  @%p0 bra B;\n" + first +
                             second + "  ret;\n" + "B:\n" + second + first + "  ret;\n";
    const LaunchStates found = states_of(launch_of(code, 1, 2), {{"x[0]"}, ""});
    CHECK(found.answer.states_complete);
    return texts(found);
  };
  const std::string exchange = "  elect.sync %r2|%p1, 0x3;\n";
  const std::string barrier = "  barrier.cluster.arrive;\n  barrier.cluster.wait;\n";
  CHECK(states_with(exchange, barrier).empty());
  CHECK(states_with(exchange, "  bar.warp.sync 0x3;\n").empty());
  CHECK(states_with(barrier, "").size() == 1);
  CHECK(states_with(exchange, "").size() == 1);
}
