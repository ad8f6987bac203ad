// Copies of bytes that no thread has written: both engines and `run` give the same answer.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The answer for a thread that has written byte 0 of 8 bytes, in shared and in local memory.
std::string found(const std::string& code) {
  const std::string begin =
      ".shared .align 8 .b8 s[8]; .local .align 8 .b8 l[8];\n"
      "mov.u32 %r1, 7; st.shared.u8 [s], %r1; st.local.u8 [l], %r1;\n";
  return found_by_all(kernel_with_out(begin + code), out_of({0, 0}), true);
}

const std::string wrong = "uninitialized";

}  // namespace

TEST_CASE("a word with an unwritten byte may be copied") {
  for (const std::string memory : {"shared", "local"}) {
    CAPTURE(memory);
    const std::string at = memory == "shared" ? "[s]" : "[l]", load = "ld." + memory, store = "st." + memory;
    CHECK(found(load + ".u32 %r2, " + at + "; st.global.u32 [%rd0], %r2;") == "safe");
    CHECK(found(load + ".u64 %rd2, " + at + "; st.global.u64 [%rd0], %rd2;") == "safe");
    CHECK(found(load + ".u32 %r2, " + at +
                "; st.shared.u32 [s+4], %r2; ld.shared.u32 %r3, [s+4];"
                "st.local.u32 [l+4], %r3; ld.local.u32 %r4, [l+4]; st.global.u32 [%rd0], %r4;") == "safe");
    CHECK(found(load + ".u32 %r2, " + at +
                "; and.b32 %r2, %r2, 255; add.u32 %r2, %r2, 1;"
                "st.global.u32 [%rd0], %r2;") == "safe");
    CHECK(found(load + ".v2.u32 {%r2, %r3}, " + at + "; st.global.v2.u32 [%rd0], {%r2, %r3};") == "safe");
    CHECK(found(store + ".u32 " + (memory == "shared" ? "[s+4]" : "[l+4]") + ", %r1;" + load +
                ".v2.u16 {%r2, %r3}, " + at + "; st.global.v2.u32 [%rd0], {%r2, %r3};") == "safe");
  }
}

TEST_CASE("an unwritten byte may not be used, and an unwritten word may not be copied") {
  for (const std::string memory : {"shared", "local"}) {
    CAPTURE(memory);
    const std::string at = memory == "shared" ? "[s" : "[l", load = "ld." + memory;
    CHECK(found(load + ".u32 %r2, " + at + "]; add.u32 %r2, %r2, 1; st.global.u32 [%rd0], %r2;") == wrong);
    CHECK(found(load + ".u32 %r2, " + at + "+4]; st.global.u32 [%rd0], %r2;") == wrong);
    CHECK(found(load + ".v2.u32 {%r2, %r3}, " + at + "]; add.u32 %r3, %r3, 1; st.global.u32 [%rd0], %r3;") ==
          wrong);
    CHECK(found(load + ".u32 %r2, " + at + "]; setp.eq.u32 %p1, %r2, 7; @%p1 st.global.u32 [%rd0], %r1;") ==
          wrong);
    // It is used where its copy is read.
    CHECK(found(load + ".u32 %r2, " + at +
                "]; st.global.u32 [%rd0], %r2; ld.global.u32 %r3, [%rd0];"
                "add.u32 %r3, %r3, 1; st.global.u32 [%rd0], %r3;") == wrong);
  }
}

TEST_CASE("the copy of an unwritten byte may be copied alone: the copy was written") {
  const std::string show = "st.global.u32 [%rd0+4], %r3;";
  CHECK(found("ld.shared.u32 %r2, [s]; st.local.u32 [l+4], %r2; ld.local.u8 %r3, [l+5];" + show) == "safe");
  CHECK(found("ld.local.u32 %r2, [l]; st.local.u32 [l+4], %r2; ld.local.u8 %r3, [l+5];" + show) == "safe");
  CHECK(found("ld.shared.u32 %r2, [s]; st.global.u32 [%rd0], %r2; ld.global.u8 %r3, [%rd0+1];" + show) ==
        "safe");
}

TEST_CASE("another thread that uses the copy reads a byte without a value") {
  const std::string text = kernel_with_out(
      ".shared .align 8 .b8 s[8]; mov.u32 %r0, %tid.x; mov.u32 %r1, 7; setp.eq.u32 %p0, %r0, 0;\n"
      "@%p0 st.shared.u8 [s], %r1; @%p0 ld.shared.u32 %r2, [s]; @%p0 st.shared.u32 [s+4], %r2;\n"
      "bar.sync 0;\n@%p0 bra END;\nld.shared.u32 %r3, [s+4]; USE\nst.global.u32 [%rd0], %r3;\nEND:");
  const auto with = [&](const std::string& use) {
    std::string code = text;
    return found_by_all(code.replace(code.find("USE"), 3, use), out_of({0, 0}, 2), true);
  };
  CHECK(with("") == "safe");
  CHECK(with("and.b32 %r3, %r3, 255;") == "safe");
  CHECK(with("shr.u32 %r3, %r3, 1;") == wrong);
}
