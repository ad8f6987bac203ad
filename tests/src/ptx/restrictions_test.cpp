// What the manual forbids and a lenient reader would take: PTX ISA 8.7 § 4.4, § 5.4, § 6.4, § 9.7, each
// beside what it allows. NVIDIA's assembler agrees, where it is not said.
#include <doctest/doctest.h>

#include "tests/src/ptx/parse_test.hpp"

using namespace ptxmc::syntax;

namespace {

const std::string registers =
    ".reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .f32 %f<16>; .reg .pred %p<8>; "
    ".shared .align 16 .b8 s[64]; .shared .b64 bar;";

/// Of the statements of an entry, the first in line 5.
std::string body_errors(const std::string& body, const std::string& version_and_target) {
  return errors(version_and_target + "\n.address_size 64\n.entry k() { " + registers + "\n" + body +
                "\nret; }\n");
}
std::string body_errors(const std::string& body) {
  return body_errors(body, ".version 8.7\n.target sm_100a");
}

bool accepts(const std::string& body) {
  const std::string found = body_errors(body);
  CAPTURE(body);
  CHECK(found == "");
  return found.empty();
}
bool refuses(const std::string& body, const std::string& message) {
  const std::string found = body_errors(body);
  CAPTURE(body);
  CAPTURE(found);
  return found.find(message) != std::string::npos;
}

}  // namespace

TEST_CASE("an offset is added, also a negative one: 6.4.1") {
  CHECK(accepts("ld.u32 %r1, [%rd1+-4]; ld.u32 %r1, [%rd1+4-8]; ld.shared.u32 %r1, [s+4*2];"));
  CHECK(accepts("ld.shared.u32 %r1, s[4]; ld.shared.u32 %r1, s[%r1-4]; mov.u32 %r1, s+-4;"));
  for (const char* body : {"ld.u32 %r1, [%rd1-4];", "ld.shared.u32 %r1, [s-4];", "mov.u32 %r1, s-4;"})
    CHECK(refuses(body, "found '-', expected '+' before an offset"));
  CHECK(module_errors(".global .u64 a; .global .u64 b = a-8;") != "");
}

TEST_CASE("an address is a register or a variable, and nothing with brackets of its own: 6.4.1, 6.4.2") {
  for (const char* body :
       {"ld.shared.u32 %r1, [s[4]];", "ld.shared.u32 %r1, [s[%r1]];", "ld.u32 %r1, [[%rd1]];",
        "ld.u32 %r1, [-%rd1];", "ld.u32 %r1, [{%rd1}];", "ld.u32 %r1, [_];"})
    CHECK(refuses(body, "expected an address such as [a], [a+4] or [4]"));
}

TEST_CASE("names are more than one underscore, dollar or percent sign: 4.4") {
  CHECK(accepts(".reg .b32 __, _a, $a, %a, a$b;"));
  for (const char* body : {".reg .b32 _;", ".reg .b32 a, _;", ".reg .b32 _<4>;", ".reg .b32 $;",
                           ".reg .b32 %;", ".reg .b32 WARP_SZ;", "bra _; _:"})
    CHECK(body_errors(body) != "");
  CHECK(module_errors(".func _() { ret; }") != "");
  CHECK(module_errors(".func f(.param .b32 _) { ret; }") == "4:21: found '_', expected a name\n");
  CHECK(accepts("t: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);"));
}

TEST_CASE("alignment and attributes, vector, type, in this order: 5.4.2, 5.4.5") {
  CHECK(accepts(".reg .v2 .b32 v; .shared .align 8 .v2 .b32 w;"));
  for (const char* body : {".reg .b32 .v2 v;", ".shared .v2 .align 8 .b32 v;", ".shared .b32 .align 8 v;",
                           ".shared .align 0 .b32 v;", ".reg .v2 .v2 .b32 v;"})
    CHECK(body_errors(body) != "");
  CHECK(module_errors(
            ".global .align 8 .attribute(.managed) .b32 a; .global .attribute(.managed) .align 8 .b32 b;") ==
        "");
  CHECK(module_errors(".global .b32 .attribute(.managed) a;") != "");
  CHECK(module_errors(".entry f(.param .ptr .u64 p) { ret; }") != "");
}

TEST_CASE("samplers are variables of their own in independent texture mode only: 9.7.10.1") {
  const std::string sampler = ".global .samplerref s;\n";
  CHECK(errors(".version 8.7\n.target sm_90, texmode_independent\n" + sampler) == "");
  for (const char* target : {"sm_90", "sm_90, texmode_unified"})
    CHECK(errors(std::string(".version 8.7\n.target ") + target + "\n" + sampler) ==
          "3:1: found '.samplerref', expected it in a module of '.target texmode_independent' only\n");
  CHECK(errors(".version 8.7\n.target sm_90, texmode_unified, texmode_independent\n") ==
        "2:33: found 'texmode_independent', expected the module's one texture mode, texmode_unified\n");
}

TEST_CASE("`_` stands in place of destinations that the manual names") {
  CHECK(accepts(
      "setp.eq.u32 _|%p1, %r1, %r2; setp.eq.u32 %p1|_, %r1, %r2; lop3.or.b32 _|%p1, %r1, %r2, %r3, 1, %p2;"));
  CHECK(accepts(
      "match.all.sync.b32 _|%p1, %r1, %r2; match.all.sync.b32 %r1|_, %r1, %r2; elect.sync _|%p1, %r1;"));
  CHECK(accepts("atom.add.u32 _, [%rd1], 1; atom.global.v2.f32.add _, [%rd1], {%f1, %f2};"));
  CHECK(accepts("mbarrier.arrive.shared.b64 _, [bar]; mbarrier.arrive_drop.shared::cluster.b64 _, [%r1];"));
  for (const char* body :
       {"add.u32 _, %r1, %r2;", "ld.u32 _, [%rd1];", "mov.u32 _, %r1;", "lop3.b32 _, %r1, %r2, %r3, 1;",
        "shfl.sync.idx.b32 _|%p1, %r1, %r2, %r3, %r4;", "match.any.sync.b32 _, %r1, %r2;",
        "vote.sync.any.pred _, %p1, %r1;", "redux.sync.add.u32 _, %r1, %r2;",
        "mbarrier.test_wait.shared.b64 _, [bar], %rd1;"})
    CHECK(refuses(body, "found `_`, expected a register"));
  CHECK(refuses("setp.eq.u32 _|_, %r1, %r2;", "found `_` twice, expected a register for `p` or `q`"));
  CHECK(refuses("elect.sync %r1|_, %r2;", "found `_`, expected a register for `p`"));
}

TEST_CASE("an arrival at another CTA's mbarrier returns nothing: 9.7.13.15.13, 9.7.13.15.14") {
  for (const std::string arrive : {"mbarrier.arrive", "mbarrier.arrive_drop"}) {
    CHECK(refuses(arrive + ".shared::cluster.b64 %rd1, [%r1];", "found a register, expected `_` for `_`"));
    CHECK(refuses(arrive + ".expect_tx.shared::cluster.b64 %rd1, [%r1], 1;", "expected `_` for `_`"));
    CHECK(accepts(arrive + ".shared::cta.b64 %rd1, [%r1]; " + arrive + ".shared::cluster.b64 _, [%r1], 2;"));
  }
}

TEST_CASE("a vector to be written has a register: 9.7.9.4") {
  CHECK(accepts(
      "mov.b64 {%r1, _}, %rd1; ld.v4.u32 {_, _, %r1, _}, [%rd1]; .reg .b128 q; mov.b128 {_, %rd1}, q;"));
  CHECK(refuses("mov.b64 {_, _}, %rd1;", "found no register in '{_, _}', expected at least one"));
  CHECK(refuses("ld.v2.u32 {_, _}, [%rd1];", "expected at least one"));
}

TEST_CASE("vectors are moved as they are: the example of 6.4.3") {
  CHECK(
      accepts(".reg .v4 .f32 V, W; mov.v4.f32 {%f1, %f2, %f3, %f4}, V; mov.v4.f32 V, W; "
              "mov.v2.u32 {%r1, %r2}, {%r3, %r4};"));
  CHECK(body_errors("mov.v2.u32 {%r1, %r2}, {%rd3, %rd4};") != "");
}

TEST_CASE("what createpolicy takes: 9.7.9.18") {
  for (const char* fraction : {"1.0", "0.5", "0f3f800000", "%f1"})
    CHECK(accepts(std::string("createpolicy.fractional.L2::evict_first.b64 %rd1, ") + fraction + ";"));
  for (const char* fraction : {"0.0", "-0.5", "1.5", "0f00000000", "0f3f800001", "0f7fc00000", "1e-50"})
    CHECK(refuses(std::string("createpolicy.fractional.L2::evict_first.b64 %rd1, ") + fraction + ";",
                  "expected a number above 0 and at most 1 for `fraction`"));
  CHECK(accepts("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1;"));
  CHECK(body_errors("createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %rd1;") != "");
}

TEST_CASE("lists of targets and prototypes stand before what uses them: 9.7.12.4") {
  CHECK(accepts("t: .branchtargets A, B; brx.idx %r1, t; A: B:"));
  CHECK(refuses("brx.idx %r1, t; t: .branchtargets A; A:", "'t' is not declared here"));
  CHECK(refuses("call %rd1, t; t: .callprototype _;", "'t' is not declared here"));
  CHECK(refuses("t: .branchtargets N<0>; brx.idx %r1, t;", "found 'N<0>', expected at least one label"));
}

TEST_CASE("versions and targets of conversions to small formats: 9.7.9.21") {
  const std::string fp8 = "cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; cvt.rn.f16x2.e5m2x2 %r1, %h1;";
  CHECK(body_errors(fp8, ".version 7.8\n.target sm_90") == "");
  CHECK(body_errors(fp8, ".version 8.1\n.target sm_89") == "");
  CHECK(body_errors(fp8, ".version 7.8\n.target sm_89")
            .find("needs sm_90 or sm_89 with PTX ISA 8.1, the module says sm_89") != std::string::npos);
  CHECK(body_errors("cvt.rm.bf16.f32 %h1, %f1; cvt.rp.bf16.f32 %h1, %f1;", ".version 7.0\n.target sm_80") ==
        "");
}

TEST_CASE("what came with PTX ISA 8.8 and 9.0") {
  const std::string wide =
      "ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd5]; "
      "st.global.v8.b32 [%rd5], {%r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8};";
  CHECK(body_errors(wide, ".version 8.8\n.target sm_100") == "");
  CHECK(body_errors(wide, ".version 9.0\n.target sm_120a") == "");
  CHECK(body_errors(wide, ".version 8.7\n.target sm_100").find("needs PTX ISA 8.8") != std::string::npos);
  CHECK(body_errors(wide, ".version 8.8\n.target sm_90").find("needs sm_100") != std::string::npos);
  CHECK(body_errors("min.NaN.f32 %f1, %f2, %f3, %f4;", ".version 8.8\n.target sm_100f") == "");
  for (const char* target : {"sm_103f", "sm_121a", "sm_100f"}) {
    CHECK(errors(std::string(".version 8.8\n.target ") + target + "\n") == "");
    CHECK(errors(std::string(".version 8.7\n.target ") + target + "\n").find("needs PTX ISA 8.8") !=
          std::string::npos);
  }
  CHECK(errors(".version 9.0\n.target sm_110a\n") == "");
  const std::string exact = "cvt.rn.satfinite.e2m1x2.f32 %c, %f1, %f2;";
  CHECK(body_errors(".reg .b8 %c; " + exact, ".version 9.0\n.target sm_110a") == "");
  CHECK(body_errors(".reg .b8 %c; " + exact, ".version 8.8\n.target sm_103f") == "");
}
