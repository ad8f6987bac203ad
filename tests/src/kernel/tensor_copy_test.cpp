// Copies of tensors (PTX ISA 8.7 § 5.5, § 9.7.9.25.5, § 9.7.9.26, § 9.7.13.16): `run` and `check`.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/kernel/launch/launch_file.hpp"
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// A kernel of one thread with the tensor map `map`. It has 1,024 bytes `tile` of shared memory; `bytes` is
/// what its mbarrier expects. `issue` starts the copies: tile in %r2, map in %rd2, mbarrier in %r3.
/// Afterwards the first `words` words of the tile are in `out`.
std::string loading(const std::string& issue, unsigned bytes, unsigned words) {
  std::string text =
      ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
      ".shared .align 1024 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
      "ld.param.u64 %rd0, [out]; mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2;\n"
      "mov.u32 %r2, tile; mov.u32 %r3, bar;\n"
      "mbarrier.init.shared::cta.b64 [%r3], 1; fence.proxy.async.shared::cta;\n";
  text += fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], {};\n", bytes) + issue +
          "\nL: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0;\n@!%p1 bra L;\n";
  for (unsigned i = 0; i < words; ++i)
    text += fmt::format("ld.shared.u32 %r4, [tile+{}]; st.global.u32 [%rd0+{}], %r4;\n", 4 * i, 4 * i);
  return text + "ret;\n}\n";
}

const std::string load_2d =
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
    "[%r2], [%rd2, {{{}, {}}}], [%r3];";

std::string load_at(int x, int y) { return fmt::format(fmt::runtime(load_2d), x, y); }

/// A launch with a tensor map of the buffer `in`, whose elements are numbered from 0.
Launch launch_of(const std::string& tensor_map, const std::string& type, unsigned count, unsigned words) {
  std::vector<unsigned> numbers(count);
  for (unsigned i = 0; i < count; ++i) numbers[i] = i;
  const std::string text = fmt::format(
      "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n[[param]]\nname = \"map\"\n"
      "tensormap = {{ buffer = \"in\", {} }}\n[[param]]\nname = \"out\"\nbuffer = \"u32[{}]\"\ninit = 77\n"
      "[[buffer]]\nname = \"in\"\ntype = \"{}[{}]\"\ninit = [{}]\n",
      tensor_map, words, type, count, fmt::join(numbers, ", "));
  return parse_launch(text, "k.toml", [](SourcePosition where) { return LaunchPlace{"k.toml", where}; });
}

/// The content of `out` behind a run.
std::vector<std::string> loaded(const std::string& issue, unsigned bytes, unsigned words,
                                const Launch& launch) {
  const Outcome outcome = run(loading(issue, bytes, words), launch);
  CHECK(outcome.kinds() == "");
  return outcome.values(0);
}

std::vector<std::string> texts(const std::vector<unsigned>& numbers) {
  std::vector<std::string> result;
  for (const unsigned number : numbers) result.push_back(std::to_string(number));
  return result;
}

}  // namespace

TEST_CASE("a box begins at its coordinates, and what is outside of the tensor is zero (5.5.3)") {
  const Launch launch =
      launch_of("element = \"u32\", dims = [6, 3], strides = [32], box = [4, 2]", "u32", 24, 8);
  CHECK(loaded(load_at(1, 1), 32, 8, launch) == texts({9, 10, 11, 12, 17, 18, 19, 20}));
  CHECK(loaded(load_at(4, 2), 32, 8, launch) == texts({20, 21, 0, 0, 0, 0, 0, 0}));
  CHECK(loaded(load_at(-1, -1), 32, 8, launch) == texts({0, 0, 0, 0, 0, 0, 1, 2}));
  for (const auto& [x, y] : std::vector<std::pair<int, int>>{{1, 1}, {4, 2}, {-1, -1}})
    CHECK(found_by_all(loading(load_at(x, y), 32, 8), launch) == "safe");
}

TEST_CASE("the traversal stride skips elements of the box (5.5.3.2)") {
  const Launch launch =
      launch_of("element = \"u32\", dims = [4, 6], strides = [16], box = [4, 3], element_strides = [1, 2]",
                "u32", 24, 8);
  CHECK(loaded(load_at(0, 1), 32, 8, launch) == texts({4, 5, 6, 7, 12, 13, 14, 15}));
}

TEST_CASE("elements of 16 bits at every coordinate") {
  const Launch launch =
      launch_of("element = \"u16\", dims = [9, 1], strides = [32], box = [8, 1]", "u16", 16, 4);
  CHECK(loaded(load_at(0, 0), 16, 4, launch) == texts({0x10000, 0x30002, 0x50004, 0x70006}));
  CHECK(loaded(load_at(1, 0), 16, 4, launch) == texts({0x20001, 0x40003, 0x60005, 0x80007}));
  CHECK(loaded(load_at(4, 0), 16, 4, launch) == texts({0x50004, 0x70006, 8, 0}));
}

TEST_CASE("a row of 128 bytes is swizzled by its address (5.5.7)") {
  const Launch launch = launch_of(
      "element = \"u32\", dims = [32, 3], strides = [128], box = [32, 3], swizzle = \"128B\"", "u32", 96, 96);
  const auto out = loaded(load_at(0, 0), 384, 96, launch);
  for (unsigned row = 0; row < 3; ++row)
    for (unsigned word = 0; word < 32; ++word)
      CHECK(out[row * 32 + word] == std::to_string(row * 32 + ((word / 4 ^ row) * 4 + word % 4)));
}

TEST_CASE("a fill with NaN (5.5.3.3)") {
  const Launch launch = launch_of("element = \"f32\", dims = [2], box = [4], fill = \"nan\"", "f32", 4, 4);
  const auto out = loaded(
      "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd2, {0}], "
      "[%r3];",
      16, 4, launch);
  CHECK(out[1] == std::to_string(0x3f800000));
  CHECK((std::stoul(out[2]) & 0x7fc00000) == 0x7fc00000);
  CHECK((std::stoul(out[3]) & 0x7fc00000) == 0x7fc00000);
}

namespace {

/// A kernel of one thread that fills the tile with 100, 101, …, executes an instruction with a bulk group,
/// and waits for the group.
std::string storing(const std::string& instruction) {
  std::string text =
      ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<20>;\n.shared .align 128 .b8 tile[32];\n"
      "mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2; mov.u32 %r2, tile;\n";
  for (unsigned i = 0; i < 8; ++i) text += fmt::format("st.shared.u32 [tile+{}], {};\n", 4 * i, 100 + i);
  return text + "fence.proxy.async.shared::cta;\n" + instruction +
         "\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;\n}\n";
}

}  // namespace

TEST_CASE("a store writes nothing outside of the tensor") {
  const Launch launch =
      launch_of("element = \"s32\", dims = [3, 3], strides = [16], box = [4, 2]", "s32", 12, 1);
  const std::string text =
      storing("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {1, 2}], [%r2];");
  CHECK(run(text, launch).values(1) == texts({0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 101, 11}));
  CHECK(found_by_all(text, launch) == "safe");
}

TEST_CASE("a reduction of a tensor (9.7.9.25.5.3)") {
  const Launch launch =
      launch_of("element = \"s32\", dims = [3, 2], strides = [16], box = [4, 2]", "s32", 8, 1);
  const auto reduced = [&](const std::string& operation) {
    return run(storing("cp.reduce.async.bulk.tensor.2d.global.shared::cta." + operation +
                       ".tile.bulk_group [%rd2, {0, 0}], [%r2];"),
               launch)
        .values(1);
  };
  CHECK(reduced("add") == texts({100, 102, 104, 3, 108, 110, 112, 7}));
  CHECK(reduced("min") == texts({0, 1, 2, 3, 4, 5, 6, 7}));
}

// The elements of the source are the words 100, 101, …: numbers of f32 are subnormal and count as zero, those
// of f16 are 100 * 2^-24 and 0. Those of `in` are 0, 1, 2, …, as numbers of the type.
TEST_CASE("a reduction of a tensor of floating-point numbers") {
  const auto reduced = [](const std::string& type, const std::string& operation) {
    const Launch launch = launch_of(fmt::format("element = \"{}\", dims = [8], box = [8]", type), type, 8, 1);
    const std::string text = storing("cp.reduce.async.bulk.tensor.1d.global.shared::cta." + operation +
                                     ".tile.bulk_group [%rd2, {0}], [%r2];");
    CHECK(found_by_all(text, launch) == "safe");
    return run(text, launch).values(1);
  };
  CHECK(reduced("f32", "add").at(3) == "3");
  CHECK(reduced("f16", "add").at(1) == "1");
  CHECK(reduced("f16", "add").at(0) == "5.9604644775390625e-06");
  CHECK(reduced("f16", "min").at(3) == "0");
  CHECK(reduced("f16", "max").at(3) == "3");
  CHECK(reduced("bf16", "max").at(5) == "5");
}

namespace {

/// The content of a buffer behind a run of a module for this target: 0 is `out`, 1 is `in`.
std::vector<std::string> out_for(const std::string& target, const std::string& text, Launch launch,
                                 std::size_t buffer = 0) {
  const auto source = std::make_shared<const SourceText>(
      "k.ptx", ".version 8.7\n.target " + target + "\n.address_size 64\n" + text);
  syntax::Diagnostics diagnostics;
  const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  REQUIRE(!diagnostics.has_errors());
  launch.entries = {"k"};
  const RunResult result = run_launch(launch, module, {}, [](const std::string&) {});
  CHECK(result.findings.empty());
  return result.buffers.at(buffer).elements;
}

/// 32 threads copy the map to shared memory, replace fields, and publish it in global memory.
std::string replacing(const std::string& replacement) {
  return ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {\n"
         ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
         ".shared .align 128 .b8 changed[128]; .shared .align 128 .b8 tile[32]; .shared .align 8 .b64 bar;\n"
         "mov.u32 %r1, %tid.x; setp.ne.u32 %p0, %r1, 0; shl.b32 %r1, %r1, 2; cvt.u64.u32 %rd1, %r1;\n"
         "mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2; add.u64 %rd3, %rd2, %rd1;\n"
         "mov.u64 %rd4, changed; add.u64 %rd5, %rd4, %rd1; ld.u32 %r4, [%rd3]; st.shared.u32 [%rd5], %r4;\n"
         "bar.warp.sync 0xffffffff;\n@%p0 bra C;\n" +
         replacement +
         "\nmbarrier.init.shared::cta.b64 [bar], 1; fence.proxy.async.shared::cta;\n"
         "C: bar.warp.sync 0xffffffff;\nld.param.u64 %rd6, [out]; add.u64 %rd7, %rd6, 128;\n"
         "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
         "[%rd7], [%rd4], 128;\n"
         "fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128;\n@%p0 ret;\n"
         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 32;\nmov.u32 %r2, tile; mov.u32 %r3, bar;\n"
         "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
         "[%r2], [%rd7, {0, 0}], [%r3];\n"
         "L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;\n@!%p1 bra L;\n"
         "ld.shared.u32 %r5, [tile]; st.global.u32 [%rd6], %r5; ld.shared.u32 %r5, [tile+4]; "
         "st.global.u32 [%rd6+4], %r5;\nld.shared.u32 %r5, [tile+16]; st.global.u32 [%rd6+8], "
         "%r5;\nret;\n}\n";
}

}  // namespace

TEST_CASE("a tensor map is changed, published and used (9.7.9.26, 9.7.13.16)") {
  Launch launch = launch_of("element = \"u32\", dims = [4, 2], strides = [16], box = [4, 2]", "u32", 24, 64);
  launch.block = {32, 1, 1};
  const auto first_three = [&](const std::string& field) {
    const auto out =
        out_for("sm_90a", replacing(field.empty() ? "" : "tensormap.replace.tile." + field), launch);
    return std::vector<std::string>(out.begin(), out.begin() + 3);
  };
  CHECK(first_three("") == texts({0, 1, 4}));
  CHECK(first_three("global_dim.shared::cta.b1024.b32 [%rd4], 0, 1;") == texts({0, 0, 4}));
  CHECK(first_three("global_stride.shared::cta.b1024.b64 [%rd4], 0, 48;") == texts({0, 1, 12}));
  CHECK(first_three("global_dim.shared::cta.b1024.b32 [%rd4], 1, 1;") == texts({0, 1, 0}));
}

TEST_CASE("memory that is no tensor map is named") {
  Launch launch = launch_of("element = \"u32\", dims = [4, 2], strides = [16], box = [4, 2]", "u32", 8, 64);
  const std::string text = loading("mov.u64 %rd2, %rd0;\n" + load_at(0, 0), 32, 8);
  try {
    run(text, launch);
    FAIL("no exception");
  } catch (const Unsupported& reason) {
    CHECK(std::string(reason.what()).find(": memory that is not known to hold a tensor map") !=
          std::string::npos);
  }
}

TEST_CASE("four rows are gathered (5.5.3.4)") {
  const Launch launch =
      launch_of("element = \"u32\", dims = [8, 8], strides = [32], box = [4, 1]", "u32", 64, 16);
  const std::string gather =
      "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
      "[%r2], [%rd2, {1, 3, 0, 7, 9}], [%r3];";
  CHECK(out_for("sm_100a", loading(gather, 64, 16), launch) ==
        texts({25, 26, 27, 28, 1, 2, 3, 4, 57, 58, 59, 60, 0, 0, 0, 0}));
}

TEST_CASE("four rows are scattered (5.5.3.4)") {
  const Launch launch =
      launch_of("element = \"s32\", dims = [4, 4], strides = [16], box = [4, 1]", "s32", 16, 1);
  const std::string text = storing(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group "
      "[%rd2, {2, 0, 3, 9, -1}], [%r2];");
  CHECK(out_for("sm_100a", text, launch, 1) ==
        texts({0, 1, 100, 101, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 104, 105}));
}
