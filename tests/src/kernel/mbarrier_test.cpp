// mbarrier objects in kernels: `run`, the solver and the explorer have the same answer. PTX ISA 8.7
// § 9.7.13.15.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// A kernel with an object `bar` and a word `s` in shared memory. Thread 0 executes `first`, the others
/// `others`. %rd1 is the address of the object.
std::string of_threads(const std::string& first, const std::string& others = "",
                       const std::string& before = "") {
  return kernel_with_out(
      ".shared .align 8 .b64 bar; .shared .align 8 .b64 s;\n"
      "mov.u64 %rd1, bar; mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;\n" +
      before + "@%p1 bra OTHERS;\n" + first + "\nbra.uni AFTER;\nOTHERS:\n" + others + "\nAFTER:");
}

std::string answer(const std::string& text, std::uint32_t threads = 1) {
  return found_by_all(text, out_of({0, 0}, threads));
}

/// The answer of both engines of `check` alone: a run need not show a race, and does not end in a deadlock.
std::string answer_of_check(const std::string& text) {
  Launch launch = out_of({0, 0}, 2);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  const std::string solved = verdict(launch, Engine::smt);
  const std::string explored = verdict(launch, Engine::explorer);
  if (explored.find("unknown (") == std::string::npos) CHECK(explored == solved);
  return solved;
}

const std::string init = "mbarrier.init.shared::cta.b64 [bar], 1;\n";
const std::string arrive = "mbarrier.arrive.shared::cta.b64 _, [bar];\n";
const std::string inval = "mbarrier.inval.shared::cta.b64 [bar];\n";
const std::string test_wait = "mbarrier.test_wait.parity.shared::cta.b64 %p2, [bar], 0;\n";

/// Thread 0 initialises the object, and all threads meet.
std::string initialised(int count) {
  return "@!%p1 mbarrier.init.shared::cta.b64 [bar], " + std::to_string(count) + ";\nbar.sync 0;\n";
}

/// A loop that waits for the phase with a parity.
std::string wait_for(int parity, const std::string& label = "L") {
  return label + ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], " + std::to_string(parity) +
         ";\n@!%p2 bra " + label + ";\n";
}

}  // namespace

TEST_CASE("operations on memory that holds no object") {
  for (const std::string& operation :
       {arrive, inval, test_wait, std::string("mbarrier.expect_tx.shared::cta.b64 [bar], 8;"),
        std::string("mbarrier.arrive_drop.shared::cta.b64 _, [bar];")}) {
    CAPTURE(operation);
    const std::string found = answer(of_threads(operation));
    CHECK(found.find("undefined") != std::string::npos);
  }
  CHECK(answer(of_threads("st.shared.u64 [bar], 0;\n" + arrive)) == "undefined");
  CHECK(answer(of_threads(init + arrive + wait_for(0))) == "safe");
}

TEST_CASE("ordinary accesses to an object, whole or in part") {
  for (const std::string access :
       {"ld.shared.u64 %rd2, [bar];", "ld.shared.u32 %r2, [bar+4];", "st.shared.u8 [bar+7], 1;",
        "atom.shared.add.u64 %rd2, [bar], 0;", "ld.u32 %r2, [%rd2];"}) {
    CAPTURE(access);
    CHECK(answer(of_threads(init + "cvta.shared.u64 %rd2, %rd1;\n" + access)) == "undefined");
  }
  CHECK(answer(of_threads(init + "st.shared.u64 [s], 1;")) == "safe");
}

TEST_CASE("the life of an object") {
  CHECK(answer(of_threads(init + init)) == "undefined");
  CHECK(answer(of_threads(init + arrive + init)) == "undefined");
  CHECK(answer(of_threads(init + inval + inval)) == "undefined");
  CHECK(answer(of_threads(init + inval + arrive)).find("undefined") != std::string::npos);
  CHECK(answer(of_threads(init + arrive + inval + init + arrive + wait_for(0))) == "safe");
  CHECK(answer(of_threads(init + inval +
                          "st.shared.u64 [bar], 7; ld.shared.u64 %rd3, [bar];"
                          "setp.ne.u64 %p3, %rd3, 7; @%p3 trap;")) == "safe");
  CHECK(answer(of_threads(init + inval + "ld.shared.u64 %rd3, [bar];")) == "uninitialized");
}

TEST_CASE("the address of an object: a generic one, and one that is not in shared memory") {
  const std::string generic = "cvta.shared.u64 %rd2, %rd1;\n";
  CHECK(answer(of_threads(generic + "mbarrier.init.b64 [%rd2], 1;\nmbarrier.arrive.b64 _, [%rd2];\n" +
                          wait_for(0))) == "safe");
  CHECK(answer(of_threads("mbarrier.init.b64 [%rd0], 1;")) == "out-of-bounds");
  CHECK(answer(of_threads("mbarrier.init.shared::cta.b64 [bar+4], 1;")) == "out-of-bounds");
}

// `run` executes the two in some order, and has found no more than one execution of those that are undefined.
TEST_CASE("an initialisation in no order with the uses of the object leaves all that follows undefined") {
  const std::string text = of_threads("mbarrier.init.shared::cta.b64 [bar], 2;\n", arrive + wait_for(0));
  CHECK(answer_of_check(text) == "undefined");
  std::set<std::string> shown;
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    shown.insert(run(text, out_of({0, 0}, 2), {seed, 4'000'000}).kinds());
  CHECK(shown == std::set<std::string>{"deadlock ", "undefined "});
}

// § 9.7.13.15.2, § 9.7.13.15.13, § 9.7.13.15.16.
TEST_CASE("undefined counts, phases and parities") {
  for (const std::string use :
       {"mov.u32 %r2, 0; mbarrier.arrive.shared::cta.b64 _, [bar], %r2;",
        "mbarrier.arrive.shared::cta.b64 _, [bar], 2;",
        "mbarrier.arrive.noComplete.shared::cta.b64 %rd2, [bar], 1;",
        "mov.u32 %r2, 2; mbarrier.test_wait.parity.shared::cta.b64 %p2, [bar], %r2;",
        "mbarrier.expect_tx.shared::cta.b64 [bar], 1048576;",
        "mbarrier.arrive.shared::cta.b64 %rd2, [bar]; mbarrier.arrive.shared::cta.b64 _, [bar];"
        "mbarrier.test_wait.shared::cta.b64 %p2, [bar], %rd2;"}) {
    CAPTURE(use);
    CHECK(answer(of_threads(init + use)) == "undefined");
  }
  CHECK(answer(of_threads("mov.u32 %r2, 1048576; mbarrier.init.shared::cta.b64 [bar], %r2;")) == "undefined");
}

TEST_CASE("message passing through an object, its initialisation behind bar.sync") {
  const std::string message = "st.shared.u32 [s], 5;\n" + arrive;
  const std::string receive = wait_for(0) + "ld.shared.u32 %r3, [s]; setp.ne.u32 %p3, %r3, 5; @%p3 trap;\n";
  const auto both = [&](const std::string& first, const std::string& others) {
    return answer_of_check(of_threads(first, others, initialised(1)));
  };
  CHECK(both(message, receive) == "safe");
  CHECK(both("st.shared.u32 [s], 5;\nmbarrier.arrive.relaxed.cta.shared::cta.b64 _, [bar];\n", receive)
            .find("race") != std::string::npos);
  CHECK(both(arrive + "st.shared.u32 [s], 5;\n", receive).find("race") != std::string::npos);
  CHECK(both("", receive) == "deadlock");
  CHECK(both(message, wait_for(1) + "ld.shared.u32 %r3, [s];").find("race") != std::string::npos);
}

// § 9.7.13.15.6: a thread that has exited still counts.
TEST_CASE("a thread that leaves after the first phase") {
  const auto phases = [&](const std::string& leave) {
    return answer_of_check(
        of_threads(arrive + wait_for(0) + arrive + wait_for(1, "M"), leave, initialised(2)));
  };
  CHECK(phases("mbarrier.arrive_drop.shared::cta.b64 _, [bar];") == "safe");
  CHECK(phases(arrive) == "deadlock");
}

// What follows an undefined use is not defined, and no finding; what does not follow it is one.
TEST_CASE("findings behind an undefined use") {
  const std::string exchange = "st.shared.u32 [s], 5;\n" + arrive + wait_for(0);
  const std::string receive =
      arrive + wait_for(0, "M") + "ld.shared.u32 %r3, [s]; setp.ne.u32 %p3, %r3, 5; @%p3 trap;\n";
  const auto solved = [&](const std::string& before) {
    Launch launch = out_of({0, 0}, 2);
    launch.entries = {"k"};
    launch.module = written_file("k.ptx", header + of_threads(exchange, receive, before));
    launch.file = "k.toml";
    return verdict(launch, Engine::smt);
  };
  const std::string race = "st.u32 [%rd0], %r1;\n";
  const std::string without_barrier = "@!%p1 mbarrier.init.shared::cta.b64 [bar], 2;\n";
  CHECK(solved(initialised(2)) == "safe");
  CHECK(solved(without_barrier) == "undefined");
  CHECK(solved(race + without_barrier) == "race undefined");
}

// The read of an arrival may take the value of a later arrival of its own thread, through other threads and
// other objects: nothing orders relaxed arrivals. The explorer does not find this execution, and says so.
TEST_CASE("arrivals that buffer loads are no proof for the explorer") {
  const std::string own = "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%r2];\n";
  const std::string other = "mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%r3];\n";
  const std::string text = kernel_with_out(
      ".shared .align 8 .b64 a;\n.shared .align 8 .b64 b;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, a;\n"
      "mov.u32 %r3, b;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra M;\n"
      "mbarrier.init.shared::cta.b64 [%r2], 2;\nmbarrier.init.shared::cta.b64 [%r3], 2;\nM: bar.sync 0;\n"
      "@%p1 bra O;\n" +
      own + other + "ret;\nO:\n" + other + own);
  Launch launch = out_of({0}, 2);
  launch.entries = {"k"};
  launch.module = written_file("k.ptx", header + text);
  launch.file = "k.toml";
  CHECK(verdict(launch, Engine::explorer) ==
        "unknown (operations on mbarriers that may be undefined, in the explorer)");
  CHECK(verdict(launch, Engine::automatic) == "safe");
}

// Most threads still poll when thread 0 ends the life of the object, whose memory holds other data later. The
// executions are too many for the solver; one in which the threads take turns shows the undefined use.
TEST_CASE("the memory of an object is used for data while threads may poll") {
  const auto found = [](const std::string& before_inval) {
    Launch launch = out_of({0, 0}, 32);
    launch.entries = {"k"};
    launch.module =
        written_file("k.ptx", header + of_threads("", "",
                                                  initialised(1) + "@!%p1 " + arrive + wait_for(0) +
                                                      before_inval + "@!%p1 " + inval +
                                                      "bar.sync 0;\nst.shared.u32 [bar + 4], 1;\n"
                                                      "bar.sync 0;\nld.shared.u32 %r2, [bar + 4];\n"));
    launch.file = "k.toml";
    return verdict(launch, Engine::automatic);
  };
  CHECK(found("").starts_with("undefined"));
  CHECK(found("bar.sync 0;\n") == "race");  // of the stores of all threads
}
