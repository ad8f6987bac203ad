// Textures, samplers and surfaces: PTX ISA 8.7 § 9.7.10, § 9.7.11, and the chapters on textures and surfaces
// of the CUDA C++ programming guide.
#include <doctest/doctest.h>

#include "src/kernel/launch/launch_file.hpp"
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

Launch textured_launch(const std::string& entries, std::uint32_t threads = 1) {
  const std::string text = "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [" +
                           std::to_string(threads) +
                           "]\n[[param]]\nname = \"out\"\nbuffer = \"f32[4]\"\ninit = 0.0\n" + entries;
  return parse_launch(text, "k.toml", [](SourcePosition where) { return LaunchPlace{"k.toml", where}; });
}

/// The kernel gets `out` in %rd0 and the handle `t` in %rd1.
std::string with_handle(const std::string& body) {
  return ".visible .entry k(.param .u64 out, .param .u64 t) {\n"
         ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<20>; .reg .pred %p<9>; .reg .b16 %h<9>;\n"
         "ld.param.u64 %rd0, [out];\nld.param.u64 %rd1, [t];\nmov.u32 %r0, %tid.x;\n" +
         body + "\nret;\n}\n";
}

const std::string texture = "[[param]]\nname = \"t\"\ntexture = ";
const std::string surface = "[[param]]\nname = \"t\"\nsurface = ";

/// What the first elements of `out` are after `tex.geom` at these coordinates.
std::string fetched(const std::string& entry, const std::string& instruction) {
  const Outcome outcome =
      run(with_handle(instruction + "\nst.global.f32 [%rd0], %f0;"), textured_launch(texture + entry));
  return outcome.kinds() + outcome.values()[0];
}

std::string fetch_1d(const std::string& entry, const std::string& coordinate) {
  return fetched(entry,
                 "mov.f32 %f5, " + coordinate + ";\ntex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5}];");
}

}  // namespace

TEST_CASE("the nearest texel, and coordinates outside of the texture") {
  const std::string line = "\"f32x1[4]\"\ninit = [10.0, 20.0, 30.0, 40.0]\n";
  CHECK(fetch_1d(line, "0f3fffffff") == "20");  // 2 - 2^-23
  CHECK(fetch_1d(line, "0f40000000") == "30");  // 2
  CHECK(fetch_1d(line, "0fbf800000") == "10");  // -1: clamped
  CHECK(fetch_1d(line, "0f7f800000") == "40");  // infinity
  CHECK(fetch_1d(line + "address = [\"border\"]\n", "0f40800000") == "0");
  const std::string normalized = line + "normalized = true\n";
  CHECK(fetch_1d(normalized, "0f3f400000") == "40");                               // 0.75
  CHECK(fetch_1d(normalized + "address = [\"wrap\"]\n", "0fbe800000") == "40");    // -0.25
  CHECK(fetch_1d(normalized + "address = [\"wrap\"]\n", "0f40000000") == "10");    // 2
  CHECK(fetch_1d(normalized + "address = [\"mirror\"]\n", "0f3fa00000") == "30");  // 1.25: index 5 is 2
  CHECK(fetch_1d(normalized + "address = [\"mirror\"]\n", "0fbe000000") == "10");  // -0.125: index -1 is 0
}

TEST_CASE("linear filtering weights neighbours in all dimensions") {
  const std::string line = "\"f32x1[4]\"\ninit = [10.0, 20.0, 30.0, 40.0]\nfilter = \"linear\"\n";
  CHECK(fetch_1d(line, "0f3fc00000") == "20");    // 1.5: the middle of texel 1
  CHECK(fetch_1d(line, "0f3fe00000") == "22.5");  // 1.75
  CHECK(fetch_1d(line, "0f00000000") == "10");    // half a texel before the first one, which is clamped
  CHECK(fetch_1d(line + "address = [\"border\"]\n", "0f00000000") == "5");
  CHECK(fetched("\"f32x1[2, 2]\"\ninit = [0.0, 8.0, 16.0, 40.0]\nfilter = \"linear\"\n",
                "mov.f32 %f5, 0f3f800000;\nmov.f32 %f6, 0f3f400000;\n"  // 1, 0.75: weights 1/2, 1/4
                "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f6}];") == "10");
  CHECK(fetched("\"f32x1[1, 1, 2]\"\ninit = [0.0, 8.0]\nfilter = \"linear\"\n",
                "mov.f32 %f5, 0f3f000000;\nmov.f32 %f6, 0f3f800000;\n"
                "tex.3d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f5,%f6,%f6}];") == "4");
}

TEST_CASE("what the manual leaves open about coordinates, weights and formats is open") {
  // Whether out[0] must be, and whether it can be, a number after a lookup at x.
  const auto must_be = [](const std::string& entry, const std::string& x, const std::string& condition) {
    Launch launch = textured_launch(texture + entry);
    launch.final_condition = condition;
    const std::string lookup = "mov.f32 %f5, " + x +
                               ";\ntex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5}];\n"
                               "st.global.f32 [%rd0], %f0;";
    return found_by_all(with_handle(lookup), launch, true) == "safe";
  };
  const std::string five = "\"f32x1[5]\"\ninit = [10.0, 20.0, 30.0, 40.0, 50.0]\n";
  const std::string fifth = "0f3e4ccccd";  // 0.2 and a little more: the edge between texels 0 and 1
  CHECK(must_be(five + "normalized = true\n", fifth, "out[0] == 10.0 || out[0] == 20.0"));
  CHECK_FALSE(must_be(five + "normalized = true\n", fifth, "out[0] == 20.0"));  // an H200 gives 10
  CHECK_FALSE(must_be(five + "normalized = true\n", fifth, "out[0] == 10.0"));
  CHECK(must_be(five + "normalized = true\n", "0f3e99999a", "out[0] == 20.0"));  // 0.3: the middle of texel 1
  CHECK(must_be(five, "0f3f7fffff", "out[0] == 10.0"));                          // not normalized: 1 - 2^-24

  const std::string linear = five + "filter = \"linear\"\n";
  CHECK(must_be(linear, "0f3fe00000", "out[0] == 22.5"));        // 1.75
  CHECK_FALSE(must_be(linear, "0f3fe01000", "out[0] != 22.5"));  // 1.75 + 1/2048, between two weights
  CHECK(must_be(linear, "0f3fe01000", "out[0] >= 22.5 && out[0] < 22.6"));
  const std::string two = "\"f32x1[2, 2]\"\ninit = [0.0, 0.0, 0.0, 16.0]\nfilter = \"linear\"\n";
  const auto at_both = [&](const std::string& x, const std::string& condition) {
    Launch launch = textured_launch(texture + two);
    launch.final_condition = condition;
    return found_by_all(with_handle("mov.f32 %f5, " + x +
                                    ";\ntex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f5}];\n"
                                    "st.global.f32 [%rd0], %f0;"),
                        launch, true) == "safe";
  };
  CHECK(at_both("0f3f400000", "out[0] == 1.0"));        // weights 1/4, whose product is 1/16
  CHECK_FALSE(at_both("0f3f010000", "out[0] != 0.0"));  // weights 1/256: their product has 16 bits
  CHECK(at_both("0f3f010000", "out[0] >= 0.0 && out[0] <= 16.0"));

  const std::string bytes = "\"u8x1[4]\"\ninit = [0, 255, 97, 4]\nread = \"normalized-float\"\n";
  CHECK(must_be(bytes, "0f3fc00000", "out[0] == 1.0"));
  CHECK_FALSE(must_be(bytes, "0f40200000", "bits(out[0]) == 1052951235"));  // 97 / 255, rounded to nearest
  CHECK(must_be(bytes, "0f40200000", "out[0] > 0.3803 && out[0] < 0.3805"));
}

TEST_CASE("how sust.p rounds is open") {
  const std::string store =
      "mov.u32 %r1, 0;\nmov.f32 %f1, NUMBER;\nmov.b32 %r2, %f1;\n"
      "sust.p.1d.b32.trap [%rd1, {%r1}], %r2;";
  const auto must_be = [&](const std::string& kind, const std::string& number, const std::string& condition) {
    Launch launch = textured_launch(surface + "\"" + kind + "x1[1]\"\ninit = 0.0\n");
    launch.final_condition = condition;
    std::string text = store;
    return found_by_all(with_handle(text.replace(text.find("NUMBER"), 6, number)), launch, true) == "safe";
  };
  CHECK(must_be("f16", "0f3fc00000", "t[0] == 1.5"));
  CHECK(must_be("f16", "0f3f801000", "bits(t[0]) == 15360 || bits(t[0]) == 15361"));  // 1 + 2^-11
  CHECK_FALSE(must_be("f16", "0f3f801000", "bits(t[0]) == 15360"));
  CHECK_FALSE(must_be("f16", "0f3f801000", "bits(t[0]) == 15361"));
  CHECK(must_be("unorm8", "0f3f000000", "bits(t[0]) == 127 || bits(t[0]) == 128"));  // 1/2
  CHECK_FALSE(must_be("unorm8", "0f3f000000", "bits(t[0]) == 128"));                 // an H200 stores 127
  CHECK(must_be("unorm8", "0f40000000", "bits(t[0]) == 255"));
}

TEST_CASE("levels, derivatives, offsets, layers, and texture data that is resident") {
  const std::string square = "\"f32x1[2, 2]\"\ninit = [1.0, 2.0, 3.0, 4.0]\n";
  const std::string at_0 = "mov.u32 %r1, 0;\nmov.u32 %r2, 1;\nmov.f32 %f5, 0f00000000;\n";
  CHECK(fetched(square, at_0 + "tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r1,%r2}];") == "3");
  CHECK(fetched(square, at_0 + "tex.2d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r1,%r1}], {%r2,%r2};") == "4");
  CHECK(fetched(square,
                at_0 + "tex.level.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f5}], %f5, {%r2,%r1};") ==
        "2");
  CHECK(fetched(square, at_0 + "tex.grad.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f5}], {%f5,%f5}, "
                               "{%f5,%f5};") == "1");
  CHECK(fetched(square, at_0 + "tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}|%p1, [%rd1, {%f5,%f5}];\n"
                               "selp.f32 %f0, 0f40e00000, %f0, %p1;") == "7");
  CHECK(fetched("\"f32x1[2]\"\nlayers = 2\ninit = [1.0, 2.0, 3.0, 4.0]\n",
                at_0 + "tex.a1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r2,%r1}];") == "3");
}

TEST_CASE("integers that stand for numbers, and halves") {
  CHECK(fetch_1d("\"u8x1[2]\"\nread = \"normalized-float\"\ninit = [255, 51]\n", "0f3f800000") ==
        "0.20000000298023224");
  CHECK(fetch_1d("\"s8x1[1]\"\nread = \"normalized-float\"\ninit = [-128]\n", "0f00000000") == "-1");
  CHECK(fetch_1d("\"unorm16x1[1]\"\ninit = [1.0]\n", "0f00000000") == "1");
  CHECK(fetch_1d("\"f16x1[1]\"\ninit = [1.5]\n", "0f00000000") == "1.5");
  CHECK(fetched("\"f32x2[1]\"\ninit = [0.5, 2.0]\n",
                "mov.f32 %f5, 0f00000000;\ntex.1d.v2.f16x2.f32 {%r1,%r2}, [%rd1, {%f5}];\n"
                "mov.b32 {%h1,%h2}, %r1;\ncvt.f32.f16 %f0, %h2;") == "2");
}

TEST_CASE("a depth comparison gives 0 or 1 for each texel, then filters") {
  const std::string depth = "\"f32x1[2]\"\ninit = [0.25, 0.75]\nfilter = \"linear\"\ncompare = \"less\"\n";
  const std::string middle = "mov.f32 %f5, 0f3f800000;\nmov.f32 %f6, 0f3f000000;\n";  // 1; depth 0.5
  CHECK(fetched(depth, middle + "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5}], %f6;") == "0.5");
}

TEST_CASE("the face of a cube that a direction meets") {
  // Faces +x -x +y -y +z -z; one texel each.
  const std::string cube = "\"f32x1[1, 1]\"\ncube = true\ninit = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\n";
  const auto face = [&](const std::string& direction) {
    return fetched(cube,
                   "mov.f32 %f4, 0f00000000;\nmov.f32 %f5, 0f3f800000;\nmov.f32 %f6, 0fc0000000;\n"
                   "tex.cube.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {" +
                       direction + "}];");
  };
  CHECK(face("%f5,%f4,%f4,%f4") == "1");
  CHECK(face("%f6,%f5,%f5,%f4") == "2");
  CHECK(face("%f4,%f5,%f4,%f4") == "3");
  CHECK(face("%f5,%f6,%f5,%f4") == "4");
  CHECK(face("%f4,%f4,%f5,%f4") == "5");
  CHECK(face("%f5,%f5,%f6,%f4") == "6");
}

TEST_CASE("four texels, counter-clockwise from the lower left") {
  const std::string square = "\"f32x2[2, 2]\"\ninit = [1.0, 11.0, 2.0, 12.0, 3.0, 13.0, 4.0, 14.0]\n";
  const std::string gather =
      "mov.f32 %f5, 0f3f800000;\ntld4.g.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5,%f5}];\n";
  CHECK(fetched(square, gather) == "13");
  CHECK(fetched(square, gather + "mov.f32 %f0, %f1;") == "14");
  CHECK(fetched(square, gather + "mov.f32 %f0, %f2;") == "12");
  CHECK(fetched(square, gather + "mov.f32 %f0, %f3;") == "11");
}

TEST_CASE("the sampler of independent mode") {
  const std::string kernel =
      ".global .samplerref border = { addr_mode_0 = clamp_to_border, filter_mode = nearest };\n"
      ".visible .entry k(.param .u64 out, .param .texref t, .param .samplerref s) {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\nld.param.u64 %rd0, [out];\nmov.f32 %f5, "
      "0f3f800000;\n"
      "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, s, {%f5}];\nst.global.f32 [%rd0], %f0;\n"
      "mov.f32 %f5, 0fbf800000;\n"
      "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, border, {%f5}];\nst.global.f32 [%rd0+4], %f0;\n"
      "txq.force_unnormalized_coords.b32 %r1, [s];\ncvt.rn.f32.u32 %f0, %r1;\nst.global.f32 [%rd0+8], "
      "%f0;\nret;\n}\n";
  const Launch launch = textured_launch(texture +
                                        "\"f32x1[2]\"\ninit = [1.0, 3.0]\n[[param]]\nname = \"s\"\n"
                                        "sampler = { filter = \"linear\", normalized = false }\n");
  const auto source = std::make_shared<const SourceText>(
      "k.ptx", ".version 8.7\n.target sm_90, texmode_independent\n.address_size 64\n" + kernel);
  syntax::Diagnostics diagnostics;
  const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  REQUIRE(!diagnostics.has_errors());
  const RunResult result = run_launch(launch, module, {}, [](const std::string&) {});
  CHECK(result.findings.empty());
  CHECK(result.buffers[0].elements == std::vector<std::string>{"2", "0", "1", "0"});
}

TEST_CASE("a texture that the module declares, handles in memory, and types of handles") {
  const std::string kernel =
      ".global .texref tex_a;\n.global .surfref surf_a;\n.visible .entry k(.param .u64 out, .param .u64 "
      "list) {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n"
      "ld.param.u64 %rd0, [out];\nld.param.u64 %rd2, [list];\nmov.u32 %r1, 1;\n"
      "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [tex_a, {%r1}];\nst.global.f32 [%rd0], %f0;\n"
      "ld.global.u64 %rd1, [%rd2];\n"
      "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r1}];\nst.global.f32 [%rd0+4], %f0;\n"
      "istypep.texref %p1, %rd1;\nistypep.surfref %p2, %rd1;\nistypep.texref %p3, %rd2;\nmov.u64 %rd3, "
      "surf_a;\n"
      "istypep.surfref %p4, %rd3;\nselp.f32 %f0, 0f3f800000, 0f00000000, %p1;\n@%p2 trap;\n@%p3 trap;\n@!%p4 "
      "trap;\n"
      "st.global.f32 [%rd0+8], %f0;\nret;\n}\n";
  Launch launch = textured_launch(
      "[[param]]\nname = \"list\"\nbuffer = \"u64[1]\"\ninit = [\"b\"]\n"
      "[[param]]\nbind = \"tex_a\"\ntexture = \"f32x1[2]\"\ninit = [1.0, 2.0]\n"
      "[[buffer]]\nname = \"b\"\ntexture = \"f32x1[2]\"\ninit = [3.0, 4.0]\n");
  launch.final_condition = "out[0] == 2.0 && out[1] == 4.0 && out[2] == 1.0";
  CHECK(found_by_all(kernel, launch) == "safe");
  CHECK_THROWS_WITH_AS(
      run(kernel, textured_launch("[[param]]\nname = \"list\"\nbuffer = \"u64[1]\"\ninit = [0]\n"
                                  "[[param]]\nbind = \"tex_b\"\ntexture = \"f32x1[2]\"\n")),
      "found 'tex_b', expected a texture, sampler or surface of its kind that k.ptx declares", InputError);
}

TEST_CASE("surfaces: bytes, samples, and places outside of them") {
  const auto final_of = [](const std::string& entry, const std::string& body) {
    const Outcome outcome = run(with_handle("mov.u32 %r1, 4;\nmov.u32 %r2, -4;\nmov.u32 %r3, 9;\n" + body),
                                textured_launch(surface + entry));
    std::string text = outcome.kinds();
    for (const std::string& value : outcome.values(1)) text += value + " ";
    return text;
  };
  const std::string line = "\"u32x1[3]\"\ninit = [1, 2, 3]\n";
  CHECK(final_of(line, "sust.b.1d.b32.trap [%rd1, {%r1}], %r3;") == "1 9 3 ");
  CHECK(final_of(line, "sust.b.1d.b32.zero [%rd1, {%r2}], %r3;") == "1 2 3 ");
  CHECK(final_of(line, "sust.b.1d.b32.clamp [%rd1, {%r2}], %r3;") == "9 2 3 ");
  CHECK(final_of(line, "sust.b.1d.b32.trap [%rd1, {%r2}], %r3;") == "assertion 1 2 3 ");
  CHECK(final_of(line, "sust.b.1d.b32.trap [%rd1, {%r3}], %r3;") == "assertion 1 2 3 ");
  CHECK(final_of(line, "mov.u32 %r1, 2;\nsust.b.1d.b32.trap [%rd1, {%r1}], %r3;") == "out-of-bounds 1 2 3 ");
  CHECK(final_of(line, "mov.u32 %r1, 1;\nsust.p.1d.b32.trap [%rd1, {%r1}], %r3;") == "1 9 3 ");
  CHECK(final_of(line, "sured.b.add.1d.u32.trap [%rd1, {%r1}], %r3;") == "1 11 3 ");
  CHECK(final_of("\"s32x1[1]\"\ninit = -5\n",
                 "mov.u32 %r1, 0;\nsured.p.max.1d.b32.trap [%rd1, {%r1}], %r2;") == "-4 ");
  CHECK(final_of("\"u8x1[2, 2]\"\ninit = [1, 2, 3, 4]\n",
                 "mov.u32 %r1, 1;\ncvt.u16.u32 %h1, %r3;\n"
                 "sust.b.2d.b8.trap [%rd1, {%r1,%r1}], %h1;") == "1 2 3 9 ");
  CHECK(final_of("\"unorm8x1[1]\"\ninit = 0.0\n",
                 "mov.u32 %r1, 0;\nmov.f32 %f1, 0f3f800000;\n"
                 "sust.p.1d.b32.trap [%rd1, {%r1}], {%f1};") == "1 ");
}

TEST_CASE("vectors in rows that do not begin at their multiples") {
  const Outcome outcome = run(
      with_handle("mov.u32 %r1, 0;\nmov.u32 %r2, 1;\nsuld.b.2d.b64.trap %rd2, [%rd1, {%r1,%r2}];\n"
                  "suq.width.b32 %r3, [%rd1];\nst.global.u64 [%rd0], %rd2;\nst.global.u32 [%rd0+8], %r3;"),
      textured_launch(surface + "\"f32x1[3, 2]\"\ninit = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]\n"));
  CHECK(outcome.values()[0] == "4");
  CHECK(outcome.values()[1] == "5");
}

TEST_CASE("a surface that is written is not seen by textures and pointers of the same launch") {
  const std::string write = "mov.u32 %r1, 0;\nmov.u32 %r3, 9;\nsust.b.1d.b32.trap [%rd1, {%r1}], %r3;\n";
  const std::string shared = "surface = \"f32x1[4]\"\nmemory = \"out\"\n";
  const Launch over_out = textured_launch("[[param]]\nname = \"t\"\n" + shared);
  CHECK(found_by_all(with_handle(write), over_out) == "safe");
  CHECK(found_by_all(with_handle(write + "ld.global.u32 %r2, [%rd0];"), over_out) == "race");
  CHECK(found_by_all(with_handle(write + "suld.b.1d.b32.trap %r2, [%rd1, {%r1}];"), over_out) == "safe");
  CHECK(found_by_all(with_handle(write + "fence.proxy.alias;\nld.global.u32 %r2, [%rd0];"), over_out) ==
        "race");
  const std::string two =
      ".visible .entry k(.param .u64 out, .param .u64 t, .param .u64 u) {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
      "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [u];\n" +
      write + "tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd2, {%r1}];\nret;\n}\n";
  const std::string entries =
      surface + "\"f32x1[4]\"\ninit = 0.0\n[[param]]\nname = \"u\"\ntexture = \"f32x1[4]\"\n";
  CHECK(found_by_all(two, textured_launch(entries + "memory = \"t\"\n")) == "race");
  CHECK(found_by_all(two, textured_launch(entries + "init = 0.0\n")) == "safe");
}

TEST_CASE("reductions in surfaces are atomic, stores of two threads race") {
  const std::string line = "\"u32x1[1]\"\ninit = [1]\n";
  Launch launch = textured_launch(surface + line, 2);
  launch.final_condition = "bits(t[0]) == 7";
  const std::string operands = "mov.u32 %r1, 0;\nmov.u32 %r3, 3;\n";
  CHECK(found_by_all(with_handle(operands + "sured.b.add.1d.u32.trap [%rd1, {%r1}], %r3;"), launch) ==
        "safe");
  CHECK(found_by_all(with_handle(operands + "sust.b.1d.b32.trap [%rd1, {%r1}], %r3;"),
                     textured_launch(surface + line, 2)) == "race");
}

TEST_CASE("what is open has a name") {
  const auto reason = [](const std::string& entry, const std::string& instruction) {
    try {
      run(with_handle("mov.u32 %r1, 5;\nmov.f32 %f5, 0f40a00000;\n" + instruction),
          textured_launch(texture + entry));
      return std::string();
    } catch (const Unsupported& error) {
      return std::string(error.what());
    }
  };
  const std::string line = "\"f32x1[2]\"\ninit = 0.0\n";
  const std::string fetch = "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5}];";
  CHECK(reason(line + "address = [\"wrap\"]\n", fetch).find("address mode") != std::string::npos);
  CHECK(reason("\"u32x1[2]\"\ninit = 0\n", fetch).find(".dtype") != std::string::npos);
  CHECK(reason("\"f32x1[2, 2]\"\ninit = 0.0\n", fetch).find("geometry") != std::string::npos);
  CHECK(reason(line + "layers = 1\n", "tex.a1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd1, {%r1,%r1}];")
            .find("layer") != std::string::npos);
  CHECK(reason(line, "tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd1, {%f5}], %f5;").find("depth") !=
        std::string::npos);
  CHECK(reason(line, "txq.height.b32 %r2, [%rd1];").find("dimension") != std::string::npos);
  CHECK(reason(line, "txq.channel_order.b32 %r2, [%rd1];").find("enumeration") != std::string::npos);
  CHECK(reason(line, "suld.b.1d.b32.zero %r2, [%rd1, {%r1}];").find("no texture, sampler or surface") !=
        std::string::npos);
}
