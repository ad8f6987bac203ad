// Kernels that are launched one after the other: PTX ISA 8.7 § 8.9.4, API synchronization.
#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// Two kernels with the parameter `x`, whose address is in %rd0, and `n`, which is in %r0.
std::string two_kernels(const std::string& a, const std::string& b) {
  const auto kernel = [](const std::string& name, const std::string& body) {
    return ".visible .entry " + name +
           "(.param .u64 x, .param .u32 n) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;\n"
           "ld.param.u64 %rd0, [x];\nld.param.u32 %r0, [n];\nmov.u32 %r1, %tid.x;\n"
           "mul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd0, %rd1;\n" +
           body + "\nret;\n}\n";
  };
  return kernel("a", a) + kernel("b", b);
}

/// `a` with two blocks of one thread, then `b` with one block of two threads.
Launch sequence(std::vector<std::uint64_t> content, const std::string& final_condition,
                std::variant<AnyValue, std::uint64_t> n = std::uint64_t{3}) {
  Launch launch = launch_with({{"x", buffer("u32", ".u32", std::move(content))}});
  launch.parameters.push_back({"n", ScalarParameter{{"u32", type_of(".u32")}, n}});
  launch.parameters.push_back({"x", SameValue{0, 8}});
  launch.parameters.push_back({"n", SameValue{1, 4}});
  launch.entries = {"a", "b"};
  launch.sequence.resize(2);
  launch.sequence[0].grid = {2, 1, 1};
  launch.sequence[1].block = {2, 1, 1};
  launch.final_condition = final_condition;
  return launch;
}

const std::string add_n = "red.relaxed.gpu.global.add.u32 [%rd0], %r0;";

}  // namespace

TEST_CASE("a kernel sees all that the kernel before has written") {
  const std::string text = two_kernels(add_n, "ld.global.u32 %r2, [%rd0]; st.global.u32 [%rd1+4], %r2;");
  CHECK(found_by_all(text, sequence({0, 0, 0}, "x[1] == 6 && x[2] == 6")) == "safe");
  CHECK(found_by_all(text, sequence({0, 0, 0}, "x[2] == 3")) == "assertion");
  // A scalar of any value is the same for both kernels.
  const std::string doubled =
      two_kernels("st.relaxed.gpu.global.u32 [%rd0], %r0;",
                  "ld.global.u32 %r2, [%rd0]; sub.u32 %r2, %r2, %r0; st.global.u32 [%rd1+4], %r2;");
  CHECK(found_by_all(doubled, sequence({0, 7, 7}, "x[1] == 0 && x[2] == 0", AnyValue{}), true) == "safe");
  CHECK(found_by_all(doubled, sequence({0, 7, 7}, "x[0] == 3", AnyValue{}), true) == "assertion");
}

TEST_CASE("each kernel has dynamic shared memory of its own size") {
  // Each thread stores to the shared word with its number; x gets the size in bytes.
  const std::string body =
      "mov.u32 %r3, %dynamic_smem_size; st.relaxed.gpu.global.u32 [%rd0], %r3;"
      "shl.b32 %r5, %r1, 2; mov.u32 %r6, words; add.u32 %r6, %r6, %r5;"
      "st.shared.u32 [%r6], %r1;";
  const std::string text = ".extern .shared .align 4 .b32 words[];\n" + two_kernels(body, body);
  const auto with_bytes = [](std::uint32_t a, std::uint32_t b) {
    Launch launch = sequence({0}, "x[0] == " + std::to_string(b));
    launch.sequence[0].dynamic_shared = a;
    launch.sequence[1].dynamic_shared = b;
    return launch;
  };
  CHECK(found_by_all(text, with_bytes(4, 8)) == "safe");  // b has two threads
  CHECK(found_by_all(text, with_bytes(8, 4), true) == "out-of-bounds");
  CHECK(found_by_all(text, with_bytes(0, 8), true) == "out-of-bounds");
}

TEST_CASE("a kernel does not start before the kernel before has ended") {
  const std::string text =
      two_kernels("LOOP: ld.relaxed.gpu.global.u32 %r2, [%rd0]; setp.eq.u32 %p, %r2, 0; @%p bra LOOP;",
                  "st.relaxed.gpu.global.u32 [%rd0], 1;");
  Launch launch = sequence({0}, "");
  launch.file = "k.toml";
  launch.module = written_file("k.ptx", header + text);
  for (const Engine engine : {Engine::smt, Engine::explorer, Engine::automatic})
    CHECK(verdict(launch, engine) == "deadlock");
  CHECK(found_by_all(text, sequence({1}, "")) == "safe");
}

TEST_CASE("the kernels of a sequence have sizes of their own") {
  const std::string store =
      "mov.u32 %r2, %ntid.x; mov.u32 %r3, %nctaid.x; shl.b32 %r3, %r3, 4; or.b32 %r2, %r2, %r3;"
      "mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd1, %rd1, %rd2;";
  const std::string text =
      two_kernels(store + "st.global.u32 [%rd1], %r2;", store + "st.global.u32 [%rd1+8], %r2;");
  CHECK(found_by_all(text, sequence({0, 0, 0, 0}, "x[0] == 33 && x[1] == 33 && x[2] == 18 && x[3] == 18")) ==
        "safe");
}
