#include "src/instruction/explanation.hpp"

#include <doctest/doctest.h>

#include "semantics/diagnostic.hpp"

using namespace ptxmc;

namespace {

bool explains(const std::string& instruction, const std::string& part) {
  const std::string text = explanation_of(instruction);
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("section, version, syntax and rule, with the operands' own names") {
  CHECK(explains("add.u32 %r1, %r2, %r3", "9.7.1.1"));
  CHECK(explains("add.u32 %r1, %r2, %r3", "%r1 = (%r2 + %r3)"));
  CHECK(explains("add.u32", "d = (a + b)"));
  CHECK(explains("add.u32", "(define-fun |d'| () (_ BitVec 32) (bvadd a b))"));
  CHECK(explains("add.u32", "no effects"));
  CHECK(explains("fma.rn.f32 d, a, b, c", "d = fma.rn.f32(a, b, c)"));
  CHECK(explains("fma.rn.f32", "(fp.fma RNE ((_ to_fp 8 24) a)"));
  CHECK(explains("min.relu.s32", "since     PTX 8.0, sm_90"));
}

TEST_CASE("effects are sentences") {
  CHECK(explains("ld.acquire.gpu.global.u32 d, [a]", "m1 = read 32 bits at a (acquire gpu, global memory)"));
  CHECK(explains("atom.global.add.u32 d, [a], b", "and at once write (b + m1)"));
  CHECK(explains("fence.sc.gpu", "a memory fence: sc gpu"));
  CHECK(explains("trap", "abort the launch"));
  CHECK(explains("stacksave.u64 d", "sp = the stack pointer"));
  CHECK(explains("vote.sync.any.pred d, a, m", "give a to the lanes of m of the warp, and wait for theirs"));
  CHECK(explains("createpolicy.cvt.L2.b64", "a value that the manual leaves open"));
}

TEST_CASE("no instruction, no such form") {
  CHECK_THROWS_AS(explanation_of("mad.hi.sat.u32"), InputError);
  CHECK_THROWS_AS(explanation_of("nonsense.u32 a, b"), InputError);
  CHECK_THROWS_AS(explanation_of(""), InputError);
}
