#include "src/instruction/explanation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "semantics/language/diagnostic.hpp"

using namespace ptxmc;

namespace {

bool explains(const std::string& instruction, const std::string& part) {
  const std::string text = explanation_text(explanation_of(instruction), false);
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

TEST_CASE("the effects of an asynchronous operation stand behind its start") {
  const char* const copy = "cp.async.ca.shared.global [a], [b], 4";
  CHECK(explains(copy,
                 "start an asynchronous operation, part of the next group of cp.async, which will at some "
                 "later time\n    m1 = read 32 bits at b"));
  CHECK(explains(copy, "\n    write 32 bits at a: m1"));
  CHECK(explains("cp.async.mbarrier.arrive.noinc.shared.b64 [a]", "\n    wait for the copies of cp.async"));
  CHECK(explains("cp.async.bulk.commit_group", "make a group of the operations of cp.async.bulk"));
  CHECK(explains("cp.async.bulk.wait_group.read 1",
                 "wait until all groups of cp.async.bulk except the latest 1 have read their sources"));
  CHECK(explains("mbarrier.try_wait.parity.shared.b64 p, [a], r", "the wait succeeds: acquire cta"));
}

TEST_CASE("the term of an exchange is cut; the whole of it is there when asked for") {
  const InstructionExplanation shfl = explanation_of("shfl.sync.idx.b32");
  const std::string first = explanation_text(shfl, false), full = explanation_text(shfl, true);
  CHECK(std::count(first.begin(), first.end(), '\n') < 20);
  CHECK(first.size() < 1000);
  CHECK(first.find("give a to the lanes of membermask") != std::string::npos);
  CHECK(first.find("--full") != std::string::npos);
  CHECK(full.find("(define-fun |d'|") != std::string::npos);
  CHECK(full.find("(declare-const v31 ") != std::string::npos);
}

TEST_CASE("the spelling may be in capitals; names stay as they are") {
  CHECK(explains("ADD.U32 D, A, b", "D = (A + b)"));
  CHECK(explains("LD.GLOBAL.L2::CACHE_HINT.U32 d, [a], p", "ld.global.L2::cache_hint.u32\n"));
}

TEST_CASE("no instruction, no such form") {
  CHECK_THROWS_AS(explanation_of("mad.hi.sat.u32"), InputError);
  CHECK_THROWS_AS(explanation_of("nonsense.u32 a, b"), InputError);
  CHECK_THROWS_AS(explanation_of(""), InputError);
}
