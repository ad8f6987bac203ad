// What `run` says of bytes that no thread has written.
#include "src/kernel/machine/unwritten_bytes.hpp"

#include <doctest/doctest.h>

#include <array>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// A thread writes byte 0 of 8 bytes of shared memory, and does something with what it reads there.
std::string with_one_byte(const std::string& code) {
  return R"(
.visible .entry k(.param .u64 out) {
  .shared .align 8 .b8 s[8];
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 7;
  st.shared.u8 [s], %r1;
)" + code +
         "\n  ret;\n}";
}

std::string kinds_of(const std::string& code) {
  return run(with_one_byte(code), launch_with({{"out", buffer("u32", ".u32", {0, 0})}}, 1)).kinds();
}

}  // namespace

TEST_CASE("unwritten bytes are unknowns, one for each instruction, thread and content") {
  UnwrittenBytes bytes;
  CHECK_FALSE(bytes.is_any());
  const std::array<bool, 4> is_written = {true, false, true, false};
  const int first = 0, second = 0;
  const auto finding = [](const char* kind) { return [=] { return Finding{kind, "", "", {}}; }; };
  const Bits value = bytes.read(Bits(32, 0x01020304), is_written, &first, &first, finding("one"));
  CHECK(bytes.is_any());
  CHECK(value.extract(0, 8).to_u64() == 4);
  CHECK_FALSE(value.extract(8, 8).is_constant());
  CHECK(bytes.concrete(value).to_u64() == 0x01020304);
  CHECK(bytes.concrete(value + Bits(32, 1)).to_u64() == 0x01020305);
  CHECK(identical(bytes.read(Bits(32, 0x01020304), is_written, &first, &first, finding("two")), value));
  const Bits other = bytes.read(Bits(32, 0x01020304), is_written, &second, &first, finding("three"));
  CHECK_FALSE(identical(other, value));
  std::vector<std::string> kinds;
  bytes.for_each_finding(value.extract(0, 16) + other.extract(0, 16),
                         [&](const Finding& found) { kinds.push_back(found.kind); });
  CHECK(kinds == std::vector<std::string>{"one", "three"});
}

TEST_CASE("a value is a copy if each of its bytes is known or was read whole") {
  TermGraph graph;
  const Bits byte = graph.variable(8, "x");
  CHECK(UnwrittenBytes::is_copy(Bits(32, 7)));
  CHECK(UnwrittenBytes::is_copy(concat(byte, Bits(8, 7))));
  CHECK(UnwrittenBytes::is_copy(byte.zero_extend(32)));
  CHECK_FALSE(UnwrittenBytes::is_copy(byte + Bits(8, 1)));
  CHECK_FALSE(UnwrittenBytes::is_copy(byte.extract(0, 4).zero_extend(8)));
  CHECK_FALSE(UnwrittenBytes::is_copy(byte.bit(0)));
}

TEST_CASE("padding may be copied, through registers and memory") {
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; mov.b32 %r3, %r2; st.global.u32 [%rd1], %r3;") == "");
  CHECK(kinds_of("ld.shared.u64 %rd2, [s]; mov.b64 {%r2, %r3}, %rd2; st.shared.u32 [s+4], %r2;"
                 "ld.shared.v2.u32 {%r4, %r5}, [s]; st.global.v2.u32 [%rd1], {%r4, %r5};") == "");
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; and.b32 %r3, %r2, 255; add.u32 %r3, %r3, 1;"
                 "st.global.u32 [%rd1], %r3;") == "");
  CHECK(kinds_of("ld.shared.v2.u32 {%r2, %r3}, [s]; st.global.u32 [%rd1], %r3;") == "");
}

TEST_CASE("padding may not be used") {
  const std::string once = "uninitialized ";
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; add.u32 %r3, %r2, 1; st.global.u32 [%rd1], %r3;") == once);
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; setp.eq.u32 %p, %r2, 7;") == once);
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; atom.global.add.u32 %r3, [%rd1], %r2;") == once);
  CHECK(kinds_of("ld.shared.u64 %rd2, [s]; ld.global.u32 %r2, [%rd1];"
                 "shr.u64 %rd2, %rd2, 4; st.global.u32 [%rd1], %rd2;") == once);
  // The copy is read from global memory: there is the use.
  CHECK(kinds_of("ld.shared.u32 %r2, [s]; st.global.u32 [%rd1], %r2; ld.global.u32 %r3, [%rd1];"
                 "add.u32 %r3, %r3, 1; st.global.u32 [%rd1], %r3;") == once);
}

TEST_CASE("what no thread has written may not even be copied") {
  CHECK(kinds_of("ld.shared.u32 %r2, [s+4]; st.global.u32 [%rd1], %r2;") == "uninitialized ");
  CHECK(kinds_of("ld.shared.v2.u16 {%r2, %r3}, [s+4];") == "uninitialized ");
}
