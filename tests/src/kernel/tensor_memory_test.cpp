// Tensor memory in `run` (PTX ISA 8.7 § 9.7.16): a product of two tiles, and the mistakes that are undefined.
#include <array>
#include <bit>

#include "tests/src/kernel/kernel_run.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Thread 0 multiplies a tile of 128 × 16 elements of f16 by one of 16 × 16, and each thread reads a row.
const std::string tile = R"(.version 8.7
.target sm_100a
.address_size 64

.visible .entry k(.param .u64 p_a, .param .u64 p_b, .param .u64 p_d)
{
	.reg .pred %p, %done, %warp0;
	.reg .b32 %thread, %place, %t, %d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15, %r0, %r1, %r2, %r3, %warp, %i;
	.reg .b64 %a, %b, %d, %offset, %adesc, %bdesc;
	.shared .align 128 .b8 tiles[4608];
	.shared .align 8 .b64 bar;
	.shared .align 4 .b32 address;

	mov.u32 %thread, %tid.x;
	ld.param.u64 %a, [p_a];
	ld.param.u64 %b, [p_b];
	ld.param.u64 %d, [p_d];
	mul.wide.u32 %offset, %thread, 16;
	add.s64 %a, %a, %offset;
	shl.b32 %place, %thread, 4;
	mov.u32 %t, tiles;
	add.u32 %place, %place, %t;
	ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a];
	st.shared.v4.b32 [%place], {%r0, %r1, %r2, %r3};
	ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a+2048];
	st.shared.v4.b32 [%place+2048], {%r0, %r1, %r2, %r3};
	setp.ge.u32 %p, %thread, 32;
	@%p bra written;
	add.s64 %b, %b, %offset;
	ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%b];
	st.shared.v4.b32 [%place+4096], {%r0, %r1, %r2, %r3};
written:
	fence.proxy.async.shared::cta;
	setp.eq.u32 %p, %thread, 0;
	@%p mbarrier.init.shared::cta.b64 [bar], 1;
	shr.u32 %warp, %thread, 5;
	setp.eq.u32 %warp0, %warp, 0;
	@!%warp0 bra allocated;
	tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [address], 32;
allocated:
	tcgen05.fence::before_thread_sync;
	bar.sync 0;
	tcgen05.fence::after_thread_sync;
	ld.shared.b32 %t, [address];
	@!%p bra issued;
	mov.u32 %place, tiles;
	shr.u32 %place, %place, 4;
	cvt.u64.u32 %adesc, %place;
	or.b64 %adesc, %adesc, 0x401000080000;
	add.u32 %place, %place, 256;
	cvt.u64.u32 %bdesc, %place;
	or.b64 %bdesc, %bdesc, 0x401000080000;
	mov.pred %done, 0;
	mov.u32 %i, 0x8040010;
	tcgen05.mma.cta_group::1.kind::f16 [%t], %adesc, %bdesc, %i, %done;
	tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];
issued:
waiting:
	mbarrier.try_wait.parity.shared::cta.b64 %done, [bar], 0;
	@!%done bra waiting;
	tcgen05.fence::after_thread_sync;
	shl.b32 %place, %warp, 21;
	add.u32 %place, %place, %t;
	tcgen05.ld.sync.aligned.32x32b.x16.b32 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15}, [%place];
	tcgen05.wait::ld.sync.aligned;
	mul.wide.u32 %offset, %thread, 64;
	add.s64 %d, %d, %offset;
	st.global.v4.b32 [%d], {%d0, %d1, %d2, %d3};
	st.global.v4.b32 [%d+16], {%d4, %d5, %d6, %d7};
	st.global.v4.b32 [%d+32], {%d8, %d9, %d10, %d11};
	st.global.v4.b32 [%d+48], {%d12, %d13, %d14, %d15};
	tcgen05.fence::before_thread_sync;
	bar.sync 0;
	tcgen05.fence::after_thread_sync;
	@!%warp0 bra done;
	tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;
	tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
done:
	ret;
}
)";

const std::string alloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [address], 32;";
const std::string dealloc = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, 32;";

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t at = text.rfind(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

std::uint16_t f16(unsigned value) {  // of at most 4
  static constexpr std::array<std::uint16_t, 5> numbers = {0, 0x3c00, 0x4000, 0x4200, 0x4400};
  return numbers[value];
}

unsigned a_at(unsigned row, unsigned k) { return (row + k) % 5; }
unsigned b_at(unsigned k, unsigned column) { return (k * 2 + column) % 4; }

/// Core matrices of 8 lines and 16 bytes, two beside each other for the 16 elements of a line.
std::vector<std::uint64_t> image(unsigned lines, unsigned (*element)(unsigned line, unsigned k)) {
  std::vector<std::uint64_t> words(lines * 8);
  for (unsigned line = 0; line < lines; ++line)
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned byte = line % 8 * 16 + line / 8 * 256 + k / 8 * 128 + k % 8 * 2;
      words[byte / 4] |= std::uint64_t{f16(element(line, k))} << (byte % 4 * 8);
    }
  return words;
}

Outcome outcome_of(const std::string& text) {
  const auto b = [](unsigned column, unsigned k) { return b_at(k, column); };
  return run_module(text, launch_with({{"a", buffer("u32", ".u32", image(128, a_at))},
                                       {"b", buffer("u32", ".u32", image(16, b))},
                                       {"d", buffer("u32", ".u32", std::vector<std::uint64_t>(2048))}},
                                      128));
}

std::string kinds_with(const std::string& part, const std::string& by) {
  return outcome_of(replaced(tile, part, by)).kinds();
}

}  // namespace

TEST_CASE("a product in tensor memory") {
  const Outcome outcome = outcome_of(tile);
  CHECK(outcome.kinds().empty());
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < 16; ++column) {
      unsigned sum = 0;
      for (unsigned k = 0; k < 16; ++k) sum += a_at(row, k) * b_at(k, column);
      const auto expected = std::bit_cast<std::uint32_t>(static_cast<float>(sum));
      CHECK(outcome.values(2)[row * 16 + column] == std::to_string(expected));
    }
}

// § 9.7.16.1.2, § 9.7.16.6.1
TEST_CASE("the life of tensor memory") {
  CHECK(kinds_with(dealloc, "") == "undefined ");
  CHECK(kinds_with(dealloc, replaced(dealloc, "32;", "64;")) == "undefined ");
  CHECK(kinds_with(dealloc, dealloc + "\n" + dealloc) == "undefined ");
  CHECK(kinds_with(alloc, "st.shared.b32 [address], 0;") == "undefined ");
  CHECK(kinds_with(alloc, "mov.u32 %i, 48;\n" + replaced(alloc, "32;", "%i;")) == "undefined ");
  CHECK(kinds_with(alloc, alloc + "\n" + replaced(alloc, "32;", "64;")) == "undefined ");
  CHECK(kinds_with(alloc, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n" + alloc) ==
        "undefined ");
  CHECK(kinds_with("setp.eq.u32 %warp0, %warp, 0;", "setp.lt.u32 %warp0, %warp, 2;") == "undefined ");
}

// § 9.7.16.7.1
TEST_CASE("a warp loads its own lanes") {
  CHECK(kinds_with("add.u32 %place, %place, %t;", "mov.u32 %place, %t;") == "undefined ");
}

// § 9.7.16.5
TEST_CASE("a load behind a product needs the commit and a fence") {
  CHECK(kinds_with("tcgen05.fence::after_thread_sync;\n\tshl.b32 %place, %warp, 21;",
                   "shl.b32 %place, %warp, 21;") == "race ");
  const std::string commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];";
  CHECK(kinds_with(commit, "mbarrier.arrive.shared::cta.b64 _, [bar];").find("race") != std::string::npos);
}
