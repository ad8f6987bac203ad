// wgmma in `run` (PTX ISA 8.7 § 9.7.15). Products are computed here from the places of the elements.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

constexpr unsigned rows = 64, columns = 16, inner = 16, image_bytes = 8192, b_begin = 4096;

/// Small numbers, so that all sums are exact.
int element_of_a(unsigned row, unsigned k) { return static_cast<int>((row * 5 + k * 3) % 7) - 3; }
int element_of_b(unsigned k, unsigned column) { return static_cast<int>((k * 2 + column * 5) % 9) - 4; }

std::uint16_t f16(int value) {  // of at most 4
  static constexpr std::array<std::uint16_t, 5> numbers = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return static_cast<std::uint16_t>(numbers[static_cast<unsigned>(std::abs(value))] |
                                    (value < 0 ? 0x8000 : 0));
}

struct Variant {
  unsigned swizzle = 0;  ///< bytes
  bool is_transposed = false, has_a_in_registers = false;
  int sign = 1;
  bool adds = true;
};

/// The place of element k of a line, in bytes: core matrices of 8 lines and 16 bytes, beside each other along
/// K.
unsigned place(const Variant& variant, unsigned line, unsigned k) {
  if (variant.is_transposed)  // units of 8 lines, one behind the other along K
    return line / 8 * 256 + line % 8 * 2 + k % 8 * 16 + k / 8 * 128;
  if (variant.swizzle == 0) return line % 8 * 16 + line / 8 * 256 + k / 8 * 128 + k % 8 * 2;
  const unsigned byte = line * variant.swizzle + k * 2;
  return byte ^ (byte >> 3 & (variant.swizzle - 16));
}

std::uint64_t descriptor(const Variant& variant, unsigned begin) {
  const std::uint64_t leading = variant.swizzle == 0 ? 128 : 16;
  const std::uint64_t stride = variant.swizzle == 0 ? 256 : 8 * variant.swizzle;
  const std::uint64_t mode = variant.swizzle == 0     ? 0
                             : variant.swizzle == 128 ? 1
                             : variant.swizzle == 64  ? 2
                                                      : 3;
  return begin >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62;
}

std::vector<std::uint64_t> image(const Variant& variant) {
  std::vector<std::uint8_t> bytes(image_bytes);
  const auto put = [&](unsigned at, std::uint16_t value) {
    bytes[at] = static_cast<std::uint8_t>(value);
    bytes[at + 1] = static_cast<std::uint8_t>(value >> 8);
  };
  for (unsigned k = 0; k < inner; ++k) {
    for (unsigned row = 0; row < rows && !variant.has_a_in_registers; ++row)
      put(place(variant, row, k), f16(element_of_a(row, k)));
    for (unsigned column = 0; column < columns; ++column)
      put(b_begin + place(variant, column, k), f16(element_of_b(k, column)));
  }
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < bytes.size(); i += 4)
    words.push_back(bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | std::uint64_t{bytes[i + 3]} << 24);
  return words;
}

/// The fragments of A of all threads, four registers each.
std::vector<std::uint64_t> fragments() {
  std::vector<std::uint64_t> words;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i % 2 * 8, k = thread % 4 * 2 + i / 2 * 8;
      words.push_back(f16(element_of_a(row, k)) | std::uint64_t{f16(element_of_a(row, k + 1))} << 16);
    }
  return words;
}

std::string module_of(const Variant& variant, const std::string& after) {
  std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .u64 in, .param .u64 regs, .param .u64 out) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p; .reg .b32 %d<8>; .reg .b32 %a<4>;\n"
      ".shared .align 1024 .b8 image[8192];\n"
      "ld.param.u64 %rd0, [in]; ld.param.u64 %rd1, [regs]; ld.param.u64 %rd2, [out];\n"
      "mov.u32 %r0, %tid.x; mul.wide.u32 %rd3, %r0, 64; add.s64 %rd0, %rd0, %rd3;\n"
      "mov.u32 %r1, image; mad.lo.u32 %r1, %r0, 64, %r1;\n";
  for (unsigned i = 0; i < 4; ++i)
    text += fmt::format(
        "ld.global.v4.b32 {{%r4, %r5, %r6, %r7}}, [%rd0+{0}];\n"
        "st.shared.v4.b32 [%r1+{0}], {{%r4, %r5, %r6, %r7}};\n",
        16 * i);
  text +=
      "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
      "mul.wide.u32 %rd3, %r0, 16; add.s64 %rd1, %rd1, %rd3; ld.global.v4.b32 {%a0, %a1, %a2, %a3}, [%rd1];\n"
      "mov.u32 %r2, image; shr.u32 %r2, %r2, 4; cvt.u64.u32 %rd4, %r2;\n";
  text += fmt::format("add.s64 %rd5, %rd4, {}; add.s64 %rd6, %rd4, {};\n", descriptor(variant, 0),
                      descriptor(variant, b_begin));
  for (unsigned i = 0; i < 8; ++i) text += fmt::format("mov.b32 %d{}, 0x40000000;\n", i);  // 2.0
  const int transposed = variant.is_transposed ? 1 : 0;
  text += fmt::format("setp.eq.u32 %p, 0, {};\nwgmma.fence.sync.aligned;\n", variant.adds ? 0 : 1);
  text += "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, ";
  text += variant.has_a_in_registers
              ? fmt::format("{{%a0, %a1, %a2, %a3}}, %rd6, %p, {}, 1, {};\n", variant.sign, transposed)
              : fmt::format("%rd5, %rd6, %p, {0}, 1, {1}, {1};\n", variant.sign, transposed);
  text += after +
          "mul.wide.u32 %rd3, %r0, 32; add.s64 %rd2, %rd2, %rd3;\n"
          "st.global.v4.b32 [%rd2], {%d0, %d1, %d2, %d3};\n"
          "st.global.v4.b32 [%rd2+16], {%d4, %d5, %d6, %d7};\nret;\n}\n";
  return text;
}

const std::string commit_group = "wgmma.commit_group.sync.aligned;\n",
                  wait_group = "wgmma.wait_group.sync.aligned 0;\n";

Outcome outcome_of(const Variant& variant, const std::string& text) {
  return run_module(text, launch_with({{"in", buffer("u32", ".u32", image(variant))},
                                       {"regs", buffer("u32", ".u32", fragments())},
                                       {"out", buffer("u32", ".u32", std::vector<std::uint64_t>(1024))}},
                                      128));
}

void check_product(const Variant& variant) {
  const Outcome outcome = outcome_of(variant, module_of(variant, commit_group + wait_group));
  CHECK(outcome.kinds().empty());
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < 8; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
      const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned k = 0; k < inner; ++k) sum += element_of_a(row, k) * element_of_b(k, column);
      const float expected = static_cast<float>(variant.sign * sum + (variant.adds ? 2 : 0));
      CHECK(outcome.values(2)[thread * 8 + i] == std::to_string(std::bit_cast<std::uint32_t>(expected)));
    }
}

}  // namespace

TEST_CASE("a product of a warpgroup") {
  check_product({});
  check_product({.sign = -1, .adds = false});
  for (const unsigned swizzle : {32, 64}) check_product({.swizzle = swizzle});
  check_product({.swizzle = 64, .has_a_in_registers = true});
  check_product({.is_transposed = true});
}

TEST_CASE("a product that is not waited for, or not fenced") {
  const std::string right = module_of({}, commit_group + wait_group);
  CHECK(outcome_of({}, right).kinds().empty());
  CHECK(outcome_of({}, module_of({}, "")).kinds() == "undefined ");
  CHECK(outcome_of({}, module_of({}, commit_group)).kinds() == "undefined ");
  CHECK(outcome_of({}, module_of({}, wait_group)).kinds() == "undefined ");
  CHECK(outcome_of({}, module_of({}, commit_group + "wgmma.wait_group.sync.aligned 1;\n")).kinds() ==
        "undefined ");
  std::string unfenced = right;
  const std::string fence = "wgmma.fence.sync.aligned;\n";
  unfenced.erase(unfenced.find(fence), fence.size());
  CHECK(outcome_of({}, unfenced).kinds() == "undefined ");
}
