#include <doctest/doctest.h>
#include <fmt/format.h>

#include "semantics/language/diagnostic.hpp"
#include "semantics/language/form.hpp"
#include "solver/engine/engine.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/litmus/nvlitmus.hpp"
#include "src/report/condition_text.hpp"
#include "src/report/herd_output.hpp"
#include "src/report/json.hpp"

using namespace ptxmc;

namespace {

/// A test with one thread.
LitmusTest one_thread(const std::string& initial, const std::string& rows, const std::string& question) {
  return parse_litmus("PTX t {" + initial + "}\n P0@cta 0,gpu 0 ;\n" + rows + "\n" + question, "t.litmus");
}

std::string message_for(const std::string& initial, const std::string& rows, const std::string& question) {
  try {
    one_thread(initial, rows, question);
    return "accepted";
  } catch (const InputError& error) {
    return fmt::format("{}:{}: {}", error.where.line, error.where.column, error.what());
  }
}

/// Of both engines, which must agree.
Answer answer_of(const LitmusTest& test) {
  return decide_with(Engine::both, test.program, test.question, cat::load("ptx-8.7"), {});
}

/// The only execution satisfies the condition.
bool holds(const std::string& initial, const std::string& rows, const std::string& condition) {
  const Answer answer = answer_of(one_thread(initial, rows, "exists (" + condition + ")"));
  REQUIRE(answer.states.size() == 1);
  REQUIRE(answer.verdict != Verdict::unknown);
  return answer.verdict == Verdict::allowed;
}

std::string states_of(const LitmusTest& test) {
  const Answer answer = answer_of(test);
  std::string text;
  for (const FinalState& state : answer.states) text += state_text(state, answer, test.program) + "\n";
  return text;
}

std::uint64_t initial_bits(const std::string& declaration) {
  return one_thread(declaration, "", "exists true").program.memory.at(0).initial.at(0).to_u64();
}

}  // namespace

TEST_CASE("initial values of floating-point variables are numbers") {
  CHECK(initial_bits("x : f32 = 1.5") == 0x3fc00000);
  CHECK(initial_bits("x : f32 = 0f3FC00000") == 0x3fc00000);
  CHECK(initial_bits("x : f32 = -2") == 0xc0000000);
  CHECK(initial_bits("x : f32 = 0x3fc00000") == 0x3fc00000);
  CHECK(initial_bits("x : f32 = 0.1") == 0x3dcccccd);
  CHECK(initial_bits("x : f32 = .5e+1") == 0x40a00000);
  CHECK(initial_bits("x : f32 = -0.0") == 0x80000000);
  CHECK(initial_bits("x : f32") == 0);
  CHECK(initial_bits("x : f64 = 0.1") == 0x3fb999999999999a);
  CHECK(initial_bits("x : f64 = 0.1f") == 0x3fb99999a0000000);
  CHECK(initial_bits("x : .f64 = 0dbff0000000000000") == 0xbff0000000000000);
  CHECK(initial_bits("x : f16 = 1.5") == 0x3e00);
  CHECK(initial_bits("x : bf16 = 1.5") == 0x3fc0);
  CHECK(initial_bits("x : f32[2] = {2.5, 1.0}") == 0x40200000);
}

TEST_CASE("numbers in code have the type of their operand") {
  CHECK(holds("x : f32", "st.weak x, 1.5; st.relaxed.gpu.b32 [y], 0f3f800000;",
              "x == 1.5 /\\ y == 0x3f800000"));
  CHECK(holds("x : f64", "st.weak.f64 [x], 0.1; add.f64 %f1, 0.25, 0.5;", "x == 0.1 && P0:f1 == 0.75"));
  CHECK(holds("x : f16 = 0.5; P0:h1 : f16", "atom.relaxed.gpu.add.noftz h1, x, 0x3c00;",
              "x == 1.5 /\\ P0:h1 == 0.5"));
  CHECK(holds("x : bf16; y : f16", "st.weak x, 1.0; ld.weak h1, x; st.weak y, -3.0;",
              "x == 1 /\\ P0:h1 == 1.0 /\\ y < -2.5"));
  CHECK(holds("x : f32[2]", "st.weak.v2 x, {1.5, 2.5};", "x[0] == 1.5 /\\ x[1] == 2.5"));
}

TEST_CASE("floating-point numbers are compared as numbers") {
  const std::string initial = "x : f32 = -0.0; n : f32 = 0f7fc00001; i : f32 = 0f7f800000; d : f64 = 0.1;";
  for (const char* condition :
       {"x == 0.0", "x == 0", "0.0 <= x", "x >= 0.0", "not (x < 0.0)", "not (n == n)", "n != n", "n != 1.0",
        "not (n < 1.0)", "not (n >= 1.0)", "i > 3.0e38", "i == 0x7f800000", "d == 0.1", "d != 0.1f",
        "d > 0.0999", "1.5 == 1.5", "1 < 1.5", "x <> -1.5f"}) {
    CAPTURE(condition);
    CHECK(holds(initial, "", condition));
  }
}

TEST_CASE("a register has the type of its declaration, or of its operands where it is compared") {
  CHECK(holds("P0:r1 : f32 = 1.5", "", "P0:r1 == 1.5"));
  CHECK(holds("P0:r1 : f32; x : u32 = 0x3fc00000", "ld.weak r1, x;", "P0:r1 == 1.5"));
  CHECK(holds("P0:r1 = 1.5", "add.f32 r2, r1, r1;", "P0:r2 == 3.0 /\\ P0:r1 == 1.5"));
  CHECK(holds("x : f32 = 1.5", "ld.weak r1, x; add.f32 r2, r1, r1;", "P0:r1 < P0:r2 /\\ P0:r2 == 3.0"));
  // As integers, when nothing says otherwise.
  CHECK(holds("x : f32 = 1.5", "ld.weak r1, x;", "P0:r1 == 0x3fc00000"));
  CHECK(holds("x : u32 = 0x80000000", "ld.weak.f32 r1, [x]; mov.b32 r2, 0;", "P0:r1 != P0:r2"));
  // The upper bits of the register are no part of the number.
  CHECK(holds("P0:r1 = -1; x : f32 = 1.5", "mov.b64 r2, r1; ld.weak r1, x;", "P0:r1 == 1.5"));
}

TEST_CASE("both engines decide what other threads read") {
  const LitmusTest test = parse_litmus(R"(PTX t { x : f32 = 1.5; y : f32; }
    P0@cta 0,gpu 0         | P1@cta 1,gpu 0         ;
    ld.relaxed.gpu f1, x   | st.relaxed.gpu x, -2.5 ;
    add.f32 f2, f1, f1     |                        ;
    st.weak y, f2          |                        ;
    filter (x != 7.0)
    exists (P0:f2 == 3.0 /\ y > 2.0))",
                                       "t.litmus");
  CHECK(states_of(test) == "0:f2=3.0; [y]=3.0; [x]=-2.5;\n0:f2=-5.0; [y]=-5.0; [x]=-2.5;\n");
}

TEST_CASE("states and conditions are printed as they are read") {
  const LitmusTest test = one_thread(
      "a : f32 = 0.1; b : f32 = 1e+20; c : f32 = 0fff800000; d : f16 = 0x7e00; "
      "e : f64 = -0.0; f : f16 = 0.5; g : f64 = 1e300;",
      "", "exists (a == 0.1 /\\ b > 1 /\\ c < -1.0f) locations [d; e; f; g]");
  CHECK(states_of(test) ==
        "[a]=0.1; [b]=1e+20; [c]=0fff800000; [d]=0x7e00; [e]=-0.0; [f]=0.5; [g]=1e+300;\n");
  CHECK(condition_text(test.question.condition, test.program, Naming::litmus) ==
        "a=0.1 /\\ b>1.0 /\\ c<-1.0");
}

TEST_CASE("JSON has floating-point values and their bits") {
  const LitmusTest test = one_thread("a : f32 = 0.1; c : f64 = 0d7ff0000000000000; i = 3;", "",
                                     "exists (a == 0.1) locations [c; i]");
  const std::string json = litmus_json(test, answer_of(test), "ptx-8.7", "both");
  CHECK(json.find(R"("values":{"a":0.1,"c":"0d7ff0000000000000","i":3},)"
                  R"("bits":{"a":"0f3dcccccd","c":"0d7ff0000000000000"})") != std::string::npos);
}

TEST_CASE("floating-point numbers where integers are expected, and the other way round") {
  CHECK(message_for("x = 1.5", "", "exists true") ==
        "1:12: found a floating-point number, expected an integer, or a type such as f32 before '='");
  CHECK(message_for("x : u32 = 1.5", "", "exists true").starts_with("1:18: found a floating-point number"));
  CHECK(message_for("x : f8 = 1.5", "", "exists true").starts_with("1:12: found type 'f8', expected one of"));
  CHECK(message_for("x : f16 = 0x10000", "", "exists true") ==
        "1:18: found a value that needs more than the 16 bits of f16");
  CHECK(message_for("y; x : f32 = y", "", "exists true") ==
        "1:21: found the location 'y', expected a number of type f32");
  CHECK(message_for("x : f32 = 1e400", "", "exists true").starts_with("1:18: found '1e400"));
  CHECK(message_for("P0:r1 : u32 = 1", "", "exists true") ==
        "1:16: found type 'u32', expected f16, bf16, f32 or f64: other registers have no type");
  CHECK(message_for("P0:r1 = 1.5", "", "exists true").starts_with("1:16: found a floating-point number"));
  CHECK(message_for("x : f32", "st.weak x, 1;", "exists true") ==
        "3:12: found an integer, expected a number of type f32 such as 1.0");
  CHECK(message_for("x : f16", "st.weak x, 1;", "exists true").starts_with("3:12: found an integer"));
  CHECK(message_for("x : u32", "st.weak x, 1.5;", "exists true") ==
        "3:12: found a floating-point number, expected a constant of type .u32");
  CHECK(message_for("x : u64", "st.weak.b64 [x], 0f3f800000;", "exists true")
            .starts_with("3:18: found a floating-point number"));
  CHECK(message_for("", "beq r1, 1.5, L; L: ;", "exists true").starts_with("3:9: found a floating-point"));
  CHECK(message_for("x : u32", "", "exists (x == 1.5)") ==
        "4:14: found a floating-point number, expected an integer: no floating-point type is declared on the "
        "other side");
  CHECK(message_for("x : f32; y : f64", "", "exists (x == y)") ==
        "4:14: found a value of type f64, expected a value of type f32 as on the other side");
  CHECK(message_for("x : f32; y : s32", "", "exists (x == y)") ==
        "4:14: found an integer, expected a value of type f32 as on the other side");
  CHECK(message_for("", "mov.b32 r1, 1;", "exists (P0:r1 == 1.5)") ==
        "4:12: found 'r1', compared with a floating-point number, expected its type in the initial state, as "
        "in P0:r1 : f32");
  CHECK(message_for("x : f32", "", "exists (x == 0x100000000)") ==
        "4:14: found a value that needs more than the 32 bits of f32");
}

TEST_CASE("NVIDIA's format has floating-point values, too") {
  const auto tests = parse_nvlitmus(R"(.global .f32 x = 1.5;
d0.b0.t0 { st.relaxed.gpu [x], 2.5; }
d0.b1.t0 { ld.relaxed.gpu r0, [x] == 2.5; }
assert (r0 == 2.5 && x > 2.0) as new;
permit (r0 == 1.5) as old;)",
                                    "a.test");
  REQUIRE(tests.size() == 2);
  CHECK(answer_of(tests[0]).verdict == Verdict::forbidden);
  CHECK(answer_of(tests[1]).verdict == Verdict::forbidden);
}
