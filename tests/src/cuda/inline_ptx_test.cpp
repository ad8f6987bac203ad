#include "src/cuda/inline_ptx.hpp"

#include <doctest/doctest.h>

#include "semantics/language/diagnostic.hpp"
#include "src/litmus/litmus_test.hpp"

using namespace ptxmc;

namespace {

std::string code_of(const std::string& text, std::size_t thread = 0) {
  const LitmusTest test = parse_litmus(text, "test.litmus");
  return inline_ptx(test.program, thread, place_on_gpu(test), {});
}

std::string code_of_two(const std::string& initial, const std::string& code) {
  return code_of("PTX t\n{" + initial + "}\n P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 ;\n " +
                 code + " | st.weak z, 1 ;\nexists (z == 0)");
}

bool has_line(const std::string& code, const std::string& line) {
  return ("\n" + code).find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE(
    "variables in global memory are behind the first operand, those in shared memory behind the others") {
  const std::string code =
      code_of_two(".shared s : u32 = 0; x : u32 = 0;", "ld.weak.shared::cta.u64 r1, [s] ");
  CHECK(has_line(code, "add.u64 w0, %2, 0;"));
  CHECK(has_line(code, "ld.weak.shared::cta.u64 r0, [w0+0];"));
  CHECK(has_line(code_of_two(".shared s : u64 = 0;", "ld.weak.u64 r1, s"), "add.u64 v0, %1, 0;"));
  CHECK(has_line(code_of_two("y; x;", "st.release.gpu x, 5"), "add.u64 v1, %0, 256;"));
}

TEST_CASE("a shared variable of another CTA has the address that mapa gives") {
  const std::string code =
      code_of_two(".shared s : u64 = 0; P0:r1 = cta1:s;", "ld.weak.shared::cluster.u64 r2, [r1]");
  CHECK(has_line(code, "mapa.shared::cluster.u64 w1, w1, 1;"));
  CHECK(has_line(code, "mov.b64 r0, w1;"));
}

TEST_CASE("operands that are narrower than their registers are converted") {
  const std::string code = code_of(
      "PTX t\n{x : s32 = 0;}\n P0 ;\n setp.eq.s64 p0, r1, 0 ;\n @!p0 atom.relaxed.gpu.add.s32 r1, x, r2 ;\n"
      "exists (x == 0)");
  CHECK(has_line(code, ".reg .pred r0;"));
  CHECK(has_line(code, "@!r0 cvt.u32.u64 t1, r2;"));
  CHECK(has_line(code, "@!r0 atom.relaxed.gpu.add.s32 t0, [v0+0], t1;"));
  CHECK(has_line(code, "@!r0 cvt.s64.s32 r1, t0;"));
}

TEST_CASE("a count of threads becomes one of warps, since each thread has its own") {
  CHECK(has_line(code_of_two("", "bar.sync 0, 1"), "bar.sync 0, 32;"));
  CHECK(has_line(code_of_two("", "bar.sync 3"), "bar.sync 3;"));
}

TEST_CASE("jumps go to labels of their targets") {
  const std::string code = code_of(
      "PTX t\n{x;}\n P0 ;\n L: ld.weak r0, x ;\n beq r0, 0, L ;\n goto E ;\n st.weak x, 2 ;\n"
      " E: st.weak x, 1 ;\nexists (x == 0)");
  CHECK(has_line(code, "target_0:"));
  CHECK(code.find(" bra target_0;") != std::string::npos);
  CHECK(has_line(code, "bra target_5;"));
}

TEST_CASE("what has no code on one GPU is refused by name") {
  CHECK_THROWS_WITH_AS(code_of_two("", "bar.cta.sync 0"), "bar.cta.sync: a form that PTX does not have",
                       Unsupported);
  CHECK_THROWS_WITH_AS(code_of_two("", "trap"), "trap: it ends the whole launch", Unsupported);
  CHECK_THROWS_AS(
      code_of(
          "PTX t\n{x;}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n st.weak x, 1 | st.weak x, 2 ;\nexists (x == 0)"),
      Unsupported);
  CHECK_THROWS_AS(code_of("PTX t\n{x; y @ generic aliases x;}\n P0 ;\n st.weak x, 1 ;\nexists (x == 0)"),
                  Unsupported);
}

TEST_CASE("the architecture has clusters, and the newest instruction") {
  const auto architecture = [](const std::string& code) {
    const LitmusTest test =
        parse_litmus("PTX t\n{x;}\n P0 ;\n " + code + " ;\nexists (x == 0)", "test.litmus");
    return architecture_for(test.program, place_on_gpu(test));
  };
  CHECK(architecture("st.weak x, 1") == "sm_80");
  CHECK(architecture("st.relaxed.cluster x, 1") == "sm_90");
}
