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

TEST_CASE("textures, samplers and surfaces are what their instructions access, and nothing else does: 5.3") {
  const std::string v = "{%f1, %f2, %f3, %f4}", c = "{%f5, %f6}";
  const auto of_mode = [](const std::string& mode, const std::string& body) {
    const std::string sampler = mode == "independent" ? ".global .samplerref smp; " : "";
    return errors(
        ".version 8.7\n.target sm_100a, texmode_" + mode + "\n.address_size 64\n" + sampler +
        ".global .texref tex0; .global .surfref srf; .global .b64 g;\n.entry k(.param .texref t) { " +
        registers + body + " ret; }\n");
  };
  for (const std::string& body :
       {"tex.2d.v4.f32.f32 " + v + ", [tex0, " + c + "];", "tex.2d.v4.f32.f32 " + v + ", [t, " + c + "];",
        "tex.2d.v4.f32.f32 " + v + ", [%rd1, " + c + "];", std::string("txq.addr_mode_0.b32 %r1, [tex0];"),
        std::string("txq.width.b32 %r1, [%rd1]; suq.width.b32 %r1, [srf]; mov.u64 %rd1, tex0;"),
        std::string("suld.b.1d.b32.trap {%r1}, [srf, {%r2}]; istypep.texref %p1, tex0;")})
    CHECK(of_mode("unified", body) == "");
  for (const std::string& body : {"tex.2d.v4.f32.f32 " + v + ", [tex0, smp, " + c + "];",
                                  "tld4.r.2d.v4.f32.f32 " + v + ", [%rd1, %rd2, " + c + "];",
                                  std::string("txq.addr_mode_0.b32 %r1, [smp]; txq.width.b32 %r1, [tex0];")})
    CHECK(of_mode("independent", body) == "");
  const auto refused = [&](const std::string& mode, const std::string& body, const std::string& message) {
    const std::string found = of_mode(mode, body);
    CAPTURE(found);
    return found.find(message) != std::string::npos;
  };
  for (const std::string wrong : {"srf", "g", "%r1", "%f1"})
    CHECK(refused("unified", "tex.2d.v4.f32.f32 " + v + ", [" + wrong + ", " + c + "];",
                  "found '" + wrong + "', expected a .texref or a register of 64 bits for `a`"));
  CHECK(refused("unified", "txq.width.b32 %r1, [tex0+4];", "expected no offset"));
  CHECK(refused("independent", "txq.addr_mode_0.b32 %r1, [tex0];", "expected a .samplerref"));
  CHECK(refused("independent", "txq.width.b32 %r1, [smp];", "expected a .texref"));
  CHECK(refused("unified", "suq.width.b32 %r1, [tex0];", "expected a .surfref"));
  CHECK(refused("unified", "suld.b.1d.b32.trap {%r1}, [tex0, {%r2}];", "expected a .surfref"));
  for (const char* other :
       {"ld.global.u32 %r1, [tex0];", "st.global.u32 [srf], %r1;", "prefetch.global.L2 [tex0];",
        "atom.global.add.u32 %r1, [tex0], 1;", "cvta.global.u64 %rd1, tex0;"})
    CHECK(refused("unified", other, "expected it in texture and surface instructions only"));
  CHECK(refused("unified", "mov.u32 %r1, tex0;", "found the address of 'tex0'"));
  for (const std::string opcode : {"tex.2d", "tld4.r.2d"})
    CHECK(refused("independent", opcode + ".v4.f32.f32 " + v + ", [tex0, " + c + "];", "found no sampler"));
}

TEST_CASE("what is passed is one value or an array of one dimension: 5.1.6, 11.2.2") {
  const auto found = [](const std::string& parameter) {
    return module_errors(".entry e(.param " + parameter + ") { ret; }") +
           module_errors(".func f(.param " + parameter + ") { ret; }") +
           module_errors(".func (.param " + parameter + ") g() { ret; }");
  };
  CHECK(found(".b32 x[4]") == "");
  CHECK(found(".align 16 .b8 x[16]") == "");
  CHECK(found(".v2 .b32 x").find("found .v2 .b32, expected one value or an array in '.param'") !=
        std::string::npos);
  CHECK(found(".b32 x[2][3]").find("found an array of 2 dimensions") != std::string::npos);
  CHECK(refuses(".param .v4 .f32 x;", "expected one value or an array in '.param'"));
  CHECK(module_errors(".func f(.reg .v2 .b32 x) { ret; }") == "");
}

TEST_CASE("prototypes return what functions may: 7.1.1, 11.3.3") {
  CHECK(accepts("t: .callprototype (.reg .b32 _, .reg .b32 _) _ (.param .b8 _[]);"));
  CHECK(refuses("t: .callprototype (.param .b32 _, .param .b32 _) _;", "found 2 return values"));
  CHECK(refuses("t: .callprototype (.param .b8 _[]) _;", "found an open dimension"));
}

TEST_CASE("directives of functions that want others, or entries: 11.4") {
  CHECK(module_errors(".entry e() .pragma \"nounroll\"; { ret; }") == "");
  CHECK(module_errors(".func f() .pragma \"nounroll\"; { ret; }") ==
        "4:11: found '.pragma', expected it for entries\n");
  const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n.entry e() .blocksareclusters ";
  CHECK(errors(head + ".reqntid 32 .reqnctapercluster 2 { ret; }\n") == "");
  for (const char* missing : {"", ".reqntid 32", ".reqnctapercluster 2"})
    CHECK(
        errors(head + missing + " { ret; }\n").find("expected '.reqntid' and '.reqnctapercluster' with it") !=
        std::string::npos);
}

TEST_CASE("no comma behind the last initial value: 5.4.4") {
  CHECK(module_errors(
            ".global .b32 x[3] = {1, 2}; .global .b32 y[3] = {}; .global .b32 z[2][1] = {{1}, {2}};") == "");
  CHECK(module_errors(".global .b32 x[3] = {1, 2,};") != "");
  CHECK(module_errors(".global .b32 z[2][1] = {{1},};") != "");
}

TEST_CASE("what textures, samplers and surfaces are initialized with: 5.3.2") {
  const auto found = [](const std::string& initial) {
    return errors(".version 8.7\n.target sm_90, texmode_independent\n.address_size 64\n.global " + initial +
                  ";\n");
  };
  CHECK(found(".texref t = { width = 4, filter_mode = linear }") == "");
  CHECK(found(".samplerref t = { addr_mode_0 = wrap, force_unnormalized_coords = 1 }") == "");
  CHECK(found(".surfref t = { memory_layout = 1 }") == "");
  CHECK(found(".samplerref t = { width = 4 }").find("found 'width', expected one of filter_mode") !=
        std::string::npos);
  CHECK(found(".texref t = { memory_layout = 1 }").find("found 'memory_layout'") != std::string::npos);
  CHECK(found(".surfref t = { filter_mode = linear }").find("found 'filter_mode'") != std::string::npos);
  CHECK(found(".texref t = { filter_mode = cubic }")
            .find("found 'cubic', expected a number or one of nearest") != std::string::npos);
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
  CHECK(accepts("createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], 4, 4;"));
  CHECK(accepts("createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], %r1, 4;"));
  CHECK(refuses("createpolicy.range.L2::evict_last.b64 %rd1, [%rd2], 8, 4;",
                "found 8, expected at most the 4 of `total-size`"));
  CHECK(body_errors("createpolicy.fractional.L2::evict_first.L2::evict_last.b64 %rd1;") != "");
}

TEST_CASE("numbers that instructions take: 9.7.9.13, 9.7.9.25, 9.7.9.26, 9.7.13.15, 9.7.16.6.1") {
  CHECK(accepts("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 512;"));
  CHECK(accepts("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd1], 3;"));
  CHECK(accepts("st.bulk.shared::cta [%rd1], 24, 0; cp.async.ca.shared.global [%r1], [%rd1], 4, 4;"));
  CHECK(accepts("cp.async.bulk.prefetch.L2.global [%rd1], 32; mbarrier.arrive.shared.b64 %rd1, [bar], 1;"));
  for (const char* body :
       {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 96;",
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 16;",
        "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd1], 4;",
        "tensormap.replace.tile.fill_mode.global.b1024.b32 [%rd1], 2;", "st.bulk.shared::cta [%rd1], 12, 0;",
        "cp.async.ca.shared.global [%r1], [%rd1], 4, 8;", "cp.async.cg.shared.global [%r1], [%rd1], 16, 17;",
        "cp.async.bulk.prefetch.L2.global [%rd1], 24;", "mbarrier.arrive.shared.b64 %rd1, [bar], 0;",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 8;",
        "mbarrier.test_wait.parity.shared.b64 %p1, [bar], 2;", "cp.async.wait_group 1.0;"})
    CHECK(refuses(body, "expected"));
}

TEST_CASE("addresses as values and bases: 9.7.9.15, 9.7.9.19, 9.7.9.20") {
  CHECK(accepts("cvta.shared.u64 %rd1, s; cvta.to.shared.u64 %rd1, %rd2; isspacep.shared %p1, %rd1;"));
  CHECK(accepts(".local .b32 l; prefetch.local.L1 [l]; isspacep.shared %p1, %r1;"));
  CHECK(refuses("cvta.global.u64 %rd1, s;", "found 's' in .shared, expected a variable in .global"));
  CHECK(refuses("cvta.global.u64 %rd1, k;", "found 'k', expected a register or a variable"));
  CHECK(refuses("cvta.to.shared.u64 %rd1, s;", "found 's', expected a register"));
  for (const char* value : {"%h1", "%f1", "%p1", "1.5", "s"})
    CHECK(refuses(std::string("isspacep.shared %p1, ") + value + ";", "found"));
  CHECK(refuses("prefetch.global.L1 [s];", "found 's' in .shared, expected a variable in .global"));
  CHECK(refuses("ld.u32 %r1, [%clock64];", "expected a register of the module for the address"));
}

TEST_CASE("an element of a vector is a register, without a sign: 6.4.3") {
  CHECK(accepts("st.v2.f32 [%rd1], {%f1, 1.0}; .reg .v4 .f32 V; st.v2.f32 [%rd1], {V.x, V.w};"));
  for (const char* element : {"-%f1", "!%p1", "%r1.b0"})
    CHECK(refuses(std::string("st.v2.f32 [%rd1], {") + element + ", %f2};", "expected a register as it is"));
}

TEST_CASE("an offset that is not aligned is no fault of the text: 6.4.1 leaves undefined what it does") {
  CHECK(accepts("ld.shared.u32 %r1, [s+2]; st.shared.u64 [bar+4], %rd1;"));
}

TEST_CASE("the last operand of slct has the last type: 9.7.6.4") {
  CHECK(accepts(
      "slct.f32.s32 %f1, %f2, %f3, %r1; slct.f32.f32 %f1, %f2, %f3, %f4; slct.u32.f32 %r1, 1, 2, %r2;"));
  CHECK(refuses("slct.f32.s32 %f1, %f2, %f3, %f4;", "found '%f4' of type .f32, expected .s32 for `c`"));
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
