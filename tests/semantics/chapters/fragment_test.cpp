// The numbers of registers that PTX ISA 8.7 § 9.7.14.4.1, § 9.7.14.5, § 9.7.14.6.2, § 9.7.15.5 and
// § 9.7.16.7.3 give.
#include "semantics/chapters/fragment.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/semantics/every_form.hpp"

using namespace ptxmc;

namespace {

/// Registers of the operands d, a, b, c.
std::array<unsigned, 4> product(const std::string& spelling) {
  const OperandShape vector{OperandShape::Kind::vector, OperandPattern::Link::comma, false, 1};
  const OperandShape immediate{OperandShape::Kind::immediate};
  std::vector<OperandShape> shapes(4, vector);
  if (spelling.starts_with("mma.sp")) shapes.insert(shapes.end(), {{}, immediate});
  Match match = ptx().match(spelling, shapes);
  if (!match && spelling.find("block_scale") != std::string::npos) {
    const OperandShape pair{OperandShape::Kind::vector, OperandPattern::Link::comma, false, 2};
    shapes.insert(shapes.end(), {{}, pair, {}, pair});
    match = ptx().match(spelling, shapes);
  }
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  return {fragment_registers(*match.form, "d"), fragment_registers(*match.form, "a"),
          fragment_registers(*match.form, "b"), fragment_registers(*match.form, "c")};
}

/// Registers of `r` where memory is the other operand.
unsigned moved(const std::string& spelling) {
  const OperandShape vector{OperandShape::Kind::vector, OperandPattern::Link::comma, false, 1};
  const OperandShape address{OperandShape::Kind::address};
  Match match = ptx().match(spelling, std::vector<OperandShape>{vector, address});
  if (!match) match = ptx().match(spelling, std::vector<OperandShape>{address, vector});
  INFO(spelling << ": " << match.error);
  REQUIRE(match);
  return fragment_registers(*match.form, "r");
}

using Registers = std::array<unsigned, 4>;

}  // namespace

TEST_CASE("fragments of mma") {
  CHECK(product("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32") == Registers{8, 2, 2, 8});
  CHECK(product("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16") == Registers{4, 2, 2, 4});
  CHECK(product("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64") == Registers{2, 1, 1, 2});
  CHECK(product("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16") == Registers{2, 2, 1, 2});
  CHECK(product("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32") == Registers{4, 4, 2, 4});
  CHECK(product("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32") == Registers{4, 2, 1, 4});
  CHECK(product("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64") == Registers{4, 8, 4, 4});
  CHECK(product("mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32") == Registers{2, 1, 1, 2});
  CHECK(product("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32") == Registers{4, 4, 2, 4});
  CHECK(product("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc") == Registers{4, 4, 2, 4});
  CHECK(product("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e3m2.e2m1.f32") == Registers{4, 4, 2, 4});
  CHECK(product("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0") ==
        Registers{4, 4, 2, 4});
}

TEST_CASE("fragments of mma.sp: half of A is there") {
  CHECK(product("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == Registers{4, 2, 2, 4});
  CHECK(product("mma.sp.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16") == Registers{2, 4, 4, 2});
  CHECK(product("mma.sp.sync.aligned.m16n8k128.row.col.s32.u4.u4.s32") == Registers{4, 4, 4, 4});
}

TEST_CASE("fragments of wmma") {
  CHECK(product("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16") == Registers{8, 8, 8, 4});
  CHECK(product("wmma.mma.sync.aligned.row.col.m8n32k16.s32.u8.u8.s32") == Registers{8, 1, 4, 8});
  CHECK(product("wmma.mma.sync.aligned.row.col.m32n8k16.f32.bf16.bf16.f32") == Registers{8, 8, 2, 8});
  CHECK(product("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32") == Registers{8, 4, 4, 8});
  CHECK(product("wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64") == Registers{2, 1, 1, 2});
  CHECK(product("wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32") == Registers{2, 1, 1, 2});
  CHECK(moved("wmma.load.a.sync.aligned.row.m16n16k16.f16") == 8);
  CHECK(moved("wmma.load.b.sync.aligned.col.m8n32k16.bf16") == 8);
  CHECK(moved("wmma.load.c.sync.aligned.row.m16n16k16.f16") == 4);
  CHECK(moved("wmma.store.d.sync.aligned.row.m8n8k128.s32") == 2);
}

TEST_CASE("fragments of movements") {
  CHECK(moved("ldmatrix.sync.aligned.m8n8.x4.shared.b16") == 4);
  CHECK(moved("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8") == 4);
  CHECK(moved("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8") == 2);
  CHECK(moved("tcgen05.ld.sync.aligned.32x32b.x16.b32") == 16);
  CHECK(moved("tcgen05.ld.sync.aligned.16x256b.x32.b32") == 128);
  CHECK(moved("tcgen05.st.sync.aligned.16x128b.x2.b32") == 4);
}

TEST_CASE("fragments of wgmma are shared by 128 threads; other instructions have none") {
  const OperandShape vector{OperandShape::Kind::vector, OperandPattern::Link::comma, false, 1};
  const OperandShape immediate{OperandShape::Kind::immediate};
  const Match match =
      ptx().match("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16",
                  std::vector<OperandShape>{vector, vector, {}, {}, immediate, immediate, immediate});
  REQUIRE(match);
  CHECK(fragment_registers(*match.form, "d") == 32);
  CHECK(fragment_registers(*match.form, "a") == 4);
  CHECK(fragment_registers(*match.form, "b-desc") == 0);
  CHECK(fragment_registers(*ptx().match("add.u32", std::vector<OperandShape>(3)).form, "d") == 0);
}
