#include "src/kernel/launch/parameter_uses.hpp"

#include <fmt/format.h>

#include "tests/src/kernel/parsed_module.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// `0: address of f32`, the parts of each parameter in brackets.
std::string shown(const syntax::Module& module) {
  static constexpr const char* kinds[] = {"number", "address", "texture", "surface", "sampler", "tensor map"};
  std::string text;
  for (const ParameterUse& use : parameter_uses(module, entry_of(module))) {
    text += "[";
    for (const UsedPart& part : use.parts)
      text += fmt::format("{}{}: {} {}", text.ends_with('[') ? "" : ", ", part.offset,
                          kinds[static_cast<std::size_t>(part.kind)], part.type.empty() ? "?" : part.type);
    text += "]";
  }
  return text;
}

/// What a kernel with these parameters and instructions does with the parameters.
std::string used(const std::string& parameters, const std::string& code, const std::string& before = "") {
  return shown(module_with(before + ".visible .entry k(" + parameters + ") {\n" +
                           ".reg .b16 %h<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>; "
                           ".reg .f64 %d<9>; .reg .pred %p<9>;\n" +
                           code + "\nret;\n}"));
}

}  // namespace

TEST_CASE("a pointer is followed through registers and address arithmetic to the type of its elements") {
  const std::string load = "ld.param.u64 %rd1, [x];\n";
  CHECK(used(".param .u64 x", load + "cvta.to.global.u64 %rd2, %rd1; mul.wide.s32 %rd3, %r1, 4;"
                                     "add.s64 %rd4, %rd2, %rd3; ld.global.f32 %f1, [%rd4];") ==
        "[0: address f32]");
  CHECK(used(".param .u64 x", load + "mov.u64 %rd2, %rd1; mad.wide.u32 %rd3, %r1, 8, %rd2;"
                                     "st.global.v2.u32 [%rd3+16], {%r1, %r2};") == "[0: address u32]");
  CHECK(used(".param .u64 x", load + "sub.s64 %rd2, %rd1, 8; atom.add.f64 %d1, [%rd2], %d1;") ==
        "[0: address f64]");
  CHECK(used(".param .u64 x, .param .u64 y", load + "ld.param.u64 %rd2, [y]; selp.b64 %rd3, %rd1, %rd2, %p1;"
                                                    "red.global.max.s32 [%rd3], %r1;") ==
        "[0: address s32][0: address s32]");
  CHECK(used(".param .u64 x",
             load + ".shared .b8 tile[64]; mov.u32 %r1, tile; cp.async.ca.shared.global [%r1], [%rd1], 4;") ==
        "[0: address u8]");
  CHECK(used(".param .u64 x", load + ".reg .b128 %q<2>; atom.global.exch.b128 %q0, [%rd1], %q1;") ==
        "[0: address u64]");
  CHECK(used(".param .u64 x", load + "add.s64 %rd1, %rd1, 4; ld.u8 %h1, [%rd1];") == "[0: address u8]");
}

TEST_CASE("bits have the type with which instructions compute") {
  const std::string load = "ld.param.b64 %rd1, [x];\n";
  CHECK(used(".param .b64 x", load + "ld.global.b32 %r1, [%rd1]; add.rn.f32 %r2, %r1, %r1;") ==
        "[0: address f32]");
  CHECK(
      used(".param .b64 x", load + "cvt.rn.f32.s32 %r1, %r2; mov.b32 %r3, %r1; st.global.b32 [%rd1], %r3;") ==
      "[0: address f32]");
  CHECK(used(".param .b64 x", load + "ld.global.b32 %r1, [%rd1]; setp.lt.s32 %p1, %r1, 3;") ==
        "[0: address s32]");
  CHECK(used(".param .b64 x", load + "ld.global.b32 %r1, [%rd1];") == "[0: address u32]");
}

TEST_CASE("a scalar has the type with which instructions compute") {
  CHECK(used(".param .u32 n", "ld.param.u32 %r1, [n]; setp.ge.s32 %p1, %r2, %r1;") == "[0: number s32]");
  CHECK(used(".param .b32 n", "ld.param.b32 %r1, [n]; mov.b32 %r2, %r1; mul.f32 %r3, %r2, %r2;") ==
        "[0: number f32]");
  CHECK(used(".param .u32 n", "ld.param.u32 %r1, [n]; mul.wide.u32 %rd1, %r1, 4;") == "[0: number u32]");
  CHECK(used(".param .u32 n", "ld.param.u32 %r1, [n]; add.s32 %r2, %r1, 1;") == "[0: number ?]");
  CHECK(used(".param .u64 n", "ld.param.u64 %rd1, [n]; setp.lt.u64 %p1, %rd1, 3;") == "[0: number u64]");
  CHECK(used(".param .u32 n, .param .u64 x", "") == "[][]");
}

TEST_CASE("a number that is added to a pointer is no address if the pointer certainly is one") {
  CHECK(used(".param .u64 x, .param .u64 n",
             "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [n]; cvta.to.global.u64 %rd3, %rd1;"
             "add.s64 %rd4, %rd3, %rd2; ld.global.u8 %h1, [%rd4];") == "[0: address u8][0: number ?]");
  CHECK(used(".param .u64 .ptr .align 1 x, .param .u64 n",
             "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [n];"
             "add.s64 %rd4, %rd1, %rd2; ld.u8 %h1, [%rd4];") == "[0: address u8][0: number ?]");
}

TEST_CASE("accesses to other memory than global memory say nothing") {
  CHECK(used(".param .u64 x", "ld.param.u64 %rd1, [x]; ld.shared.u32 %r1, [%rd1];") == "[0: number ?]");
}

TEST_CASE("values are followed through calls") {
  const std::string callee =
      ".func (.param .b64 out) place(.param .b64 base, .param .b32 i) {\n"
      ".reg .b64 %rd<9>; .reg .b32 %r<3>; ld.param.b64 %rd1, [base]; ld.param.b32 %r1, [i];"
      "mad.wide.s32 %rd2, %r1, 4, %rd1; st.param.b64 [out], %rd2; ret; }\n";
  const std::string call =
      "ld.param.u64 %rd1, [x]; ld.param.u32 %r1, [n];\n"
      "{ .param .b64 a; .param .b32 b; .param .b64 c; st.param.b64 [a], %rd1; st.param.b32 [b], %r1;"
      "call.uni (c), place, (a, b); ld.param.b64 %rd2, [c]; }\n st.f32 [%rd2], %f1;";
  CHECK(used(".param .u64 x, .param .u32 n", call, callee) == "[0: address f32][0: number s32]");
}

TEST_CASE("parts of a structure, loaded by its name or by its address") {
  CHECK(used(".param .align 8 .b8 s[24]",
             "ld.param.u64 %rd1, [s+8]; ld.param.f32 %f1, [s+16]; st.f32 [%rd1], %f1;") ==
        "[8: address f32, 16: number f32]");
  CHECK(used(".param .align 8 .b8 s[24]",
             "mov.b64 %rd1, s; add.s64 %rd2, %rd1, 8; ld.param.u64 %rd3, [%rd2+8]; ld.u16 %h1, [%rd3];") ==
        "[16: address u16]");
}

TEST_CASE("textures, surfaces and tensor maps") {
  CHECK(used(".param .u64 t, .param .u64 s",
             "ld.param.u64 %rd1, [t]; ld.param.u64 %rd2, [s];"
             "tex.2d.v4.s32.s32 {%r1, %r2, %r3, %r4}, [%rd1, {%r5, %r6}];"
             "sust.b.1d.v2.b32.trap [%rd2, {%r1}], {%r1, %r2};") == "[0: texture s32][0: surface u32]");
  CHECK(
      used(".param .align 64 .b8 map[128]",
           ".shared .align 128 .b8 tile[64]; .shared .b64 bar; mov.b64 %rd1, map; cvta.param.u64 %rd2, %rd1;"
           "mov.u32 %r1, tile; mov.u32 %r2, bar;"
           "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], "
           "[%rd2, {%r3}], [%r2];") == "[0: tensor map ?]");
}

TEST_CASE("values go a long way against the order of the instructions") {
  constexpr int count = 50'000;
  std::string code = ".reg .b64 %q<" + std::to_string(count + 1) + ">;\nst.global.f32 [%q0], %f1;\n";
  for (int i = 0; i < count; ++i) code += fmt::format("mov.b64 %q{}, %q{};\n", i, i + 1);
  CHECK(used(".param .u64 x", code + fmt::format("ld.param.u64 %q{}, [x];", count)) == "[0: address f32]");
}
