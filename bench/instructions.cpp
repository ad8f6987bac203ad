#include "bench/instructions.hpp"

#include <fmt/format.h>

#include <fstream>
#include <random>

namespace ptxmc::bench {

namespace {

constexpr std::uint64_t before_loop = 9, in_loop = 16, after_loop = 3;

constexpr const char* loop = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry loop(.param .u64 data, .param .u32 iterations) {
  .reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .f32 %f<6>; .reg .f64 %d<4>; .reg .pred %p;
  .shared .align 4 .b32 scratch[64];
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r1, [iterations];
  mov.u32 %r2, 0;
  mov.u32 %r3, 1;
  mov.f32 %f1, 0f3F800000;
  mov.f64 %d1, 0d3FF0000000000000;
  mov.u32 %r7, scratch;
  mov.u32 %r8, 0;
  st.shared.u32 [%r7], 1;
LOOP:
  and.b32 %r4, %r2, 63;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  mad.lo.s32 %r3, %r5, 1664525, %r3;
  xor.b32 %r6, %r3, %r2;
  shr.u32 %r9, %r6, 3;
  st.global.u32 [%rd3], %r9;
  cvt.rn.f32.u32 %f2, %r4;
  fma.rn.f32 %f1, %f2, 0f3F000000, %f1;
  add.f64 %d1, %d1, 0d3FE0000000000000;
  ld.shared.u32 %r10, [%r7];
  add.s32 %r8, %r8, %r10;
  add.s32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, %r1;
  @%p bra LOOP;
  st.global.u32 [%rd1], %r8;
  st.global.f32 [%rd1+4], %f1;
  ret;
}
)";

constexpr const char* products = R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry products(.param .u64 data, .param .u32 iterations) {
  .reg .b32 %r<9>; .reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .pred %p;
  ld.param.u64 %rd1, [data];
  ld.param.u32 %r0, [iterations];
  mov.u32 %r8, %laneid;
  mul.wide.u32 %rd2, %r8, 4;
  add.s64 %rd3, %rd1, %rd2;
  or.b32 %r1, %r8, 0x3C003C00;
  or.b32 %r2, %r8, 0x2C013800;
  or.b32 %r3, %r8, 0x3C010800;
  or.b32 %r4, %r8, 0x2C013008;
  or.b32 %r5, %r8, 0x3C013807;
  or.b32 %r6, %r8, 0x34003400;
  mov.f32 %f0, 0f00000000;
  mov.f32 %f1, %f0;
  mov.f32 %f2, %f0;
  mov.f32 %f3, %f0;
LOOP:
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%f0, %f1, %f2, %f3};
  sub.u32 %r0, %r0, 1;
  setp.ne.u32 %p, %r0, 0;
  @%p bra LOOP;
  st.global.f32 [%rd3], %f0;
  ret;
}
)";

/// Writes a kernel that has `data` and `iterations` as parameters, and a launch of it in one CTA.
std::filesystem::path write_launch(const std::filesystem::path& folder, const std::string& entry,
                                   const std::string& text, unsigned threads, std::uint64_t iterations) {
  std::ofstream(folder / (entry + ".ptx")) << text;
  const std::filesystem::path launch = folder / (entry + ".toml");
  std::ofstream(launch) << fmt::format(R"(module = "{0}.ptx"
entry = "{0}"
grid = [1]
block = [{1}]

[[param]]
name = "data"
buffer = "u32[64]"
init = 7

[[param]]
name = "iterations"
type = "u32"
value = {2}
)",
                                       entry, threads, iterations);
  return launch;
}

}  // namespace

Loop write_loop(const std::filesystem::path& folder, std::uint64_t iterations) {
  return {write_launch(folder, "loop", loop, 1, iterations), before_loop + in_loop * iterations + after_loop};
}

std::filesystem::path write_products(const std::filesystem::path& folder, std::uint64_t count) {
  return write_launch(folder, "products", products, 32, count);
}

std::string vector_lines(std::uint64_t count) {
  static constexpr const char* instructions[] = {
      "add.u32;{:x},{:x}",           "mul.hi.s32;{:x},{:x}",   "min.s32;{:x},{:x}",
      "setp.lt.u32;{:x},{:x}",       "shr.u32;{:x},{:x}",      "add.rn.f32;{:x},{:x}",
      "mul.rz.f32;{:x},{:x}",        "div.rn.f32;{:x},{:x}",   "max.NaN.f32;{:x},{:x}",
      "cvt.rn.bf16x2.f32;{:x},{:x}", "add.rn.f16x2;{:x},{:x}", "sad.u32;{:x},{:x},5",
  };
  std::mt19937 random(1);
  std::string lines;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t a = random(), b = random();
    lines += fmt::format(fmt::runtime(instructions[i % std::size(instructions)]), a, b) + "\n";
  }
  return lines;
}

}  // namespace ptxmc::bench
