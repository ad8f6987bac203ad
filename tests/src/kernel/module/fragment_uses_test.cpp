#include "src/kernel/module/fragment_uses.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

const std::string load_a =
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
    "[%r20];\n";
const std::string load_b =
    "wmma.load.b.sync.aligned.col.m16n16k16.shared.f16 {%r8,%r9,%r10,%r11,%r12,%r13,%r14,"
    "%r15}, [%r20];\n";
const std::string multiply =
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
    "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15}, "
    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

/// What a warp finds that loads A, then B, and multiplies them.
std::string found(const std::string& body) {
  std::string text =
      ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<24>;\n.reg .f32 %f<9>;\n.reg .pred %p<2>;\n.reg "
      ".b64 %rd<2>;\n"
      ".shared .align 32 .b8 tile[512];\nmov.u32 %r20, tile;\nmov.u32 %r21, %tid.x;\nshl.b32 %r22, %r21, 4;\n"
      "add.u32 %r22, %r22, %r20;\nmov.b32 %r23, 0;\nst.shared.v4.b32 [%r22], "
      "{%r23,%r23,%r23,%r23};\nbar.sync 0;\n"
      "ld.param.u64 %rd0, [out];\nsetp.eq.u32 %p0, %r21, 40;\n";
  for (int i = 0; i < 8; ++i) text += "mov.f32 %f" + std::to_string(i) + ", 0f00000000;\n";
  return found_by_all(text + body + "ret;\n}\n", out_of({0}, 32), true);
}

}  // namespace

TEST_CASE("fragments of the matrices that the product is for") {
  CHECK(found(load_a + load_b + multiply) == "safe");
  CHECK(found(load_a + load_b + multiply + multiply) == "safe");  // D is the next C
  CHECK(found(load_b + with(load_a, "%r0,", "%r19,") + "mov.b32 %r0, %r19;\n" + multiply) == "safe");
}

TEST_CASE("fragments of other shapes, layouts, types and operands") {
  CHECK(found(load_a + with(load_b, "m16n16k16", "m32n8k16") + multiply) == "undefined");
  CHECK(found(with(load_a, ".row", ".col") + load_b + multiply) == "undefined");
  CHECK(found(load_a + with(with(load_b, "load.b", "load.a"), ".col", ".row") + multiply) == "undefined");
  CHECK(
      found(load_a + load_b + multiply +
            "wmma.store.d.sync.aligned.row.m32n8k16.shared.f32 [%r20], {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};\n")
          .find("undefined") != std::string::npos);
  const std::string moved = with(with(load_a, ".row", ".col"), "%r0,", "%r19,") + "mov.b32 %r0, %r19;\n";
  CHECK(found(load_b + load_a + moved + multiply) == "undefined");
}

TEST_CASE("what is not known on every path is no fragment of another matrix") {
  const std::string other = with(load_a, ".row", ".col");
  CHECK(found(load_b + load_a + "@%p0 bra L;\nbra M;\nL:\n" + other + "M:\n" + multiply) == "safe");
  CHECK(found(load_b + other + "add.u32 %r0, %r0, 0;\n" + load_a + multiply) == "safe");
}
