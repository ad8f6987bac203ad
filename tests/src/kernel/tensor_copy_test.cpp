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

// As an H100 does; the pattern of § 5.5.7 is that of whole rows.
TEST_CASE("a row with less data than the width of the swizzle takes the whole width") {
  const Launch launch = launch_of(
      "element = \"u32\", dims = [4, 4], strides = [16], box = [4, 4], swizzle = \"32B\"", "u32", 16, 32);
  // 8 words a row; the halves of a row change places in every second line of 128 bytes.
  const auto text = loading(load_at(0, 0), 64, 4);
  std::vector<std::string> rows;
  for (unsigned row = 0; row < 4; ++row) {
    std::string read = text;
    for (unsigned i = 0; i < 4; ++i) {
      const std::string from = fmt::format("[tile+{}]", 4 * i);
      read.replace(read.find(from), from.size(), fmt::format("[tile+{}]", 32 * row + 4 * i));
    }
    const Outcome outcome = run(read, launch);
    CHECK(outcome.kinds() == "");
    rows.push_back(outcome.values(0).at(1));
  }
  CHECK(rows == texts({1, 5, 9, 13}));
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

// PTX ISA 8.7 § 5.5.4. The tensor has 4 channels, 3 x 2 pixels and 2 images. Element (c, w, h, n) is
// c + 4 (w + 3 (h + 2 n)). A 2x2 filter without padding has the positions 0 and 1 of W, and 0 of H.
TEST_CASE("a column of pixels (5.5.4)") {
  const Launch launch = launch_of(
      "element = \"u32\", dims = [4, 3, 2, 2], strides = [16, 48, 96], "
      "im2col = { lower = [0, 0], upper = [-1, -1], channels = 4, pixels = 4 }",
      "u32", 48, 16);
  const auto column = [&](int w, int n, int offset_w, int offset_h) {
    const std::string issue = fmt::format(
        "mov.u16 %h0, {}; mov.u16 %h1, {};\n"
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
        "[%r2], [%rd2, {{0, {}, 0, {}}}], [%r3], {{%h0, %h1}};",
        offset_w, offset_h, w, n);
    std::string text = loading(issue, 64, 16);
    text.insert(text.find(".reg"), ".reg .b16 %h<2>; ");
    const Outcome outcome = run(text, launch);
    CHECK(outcome.kinds() == "");
    std::vector<std::string> pixels;
    for (std::size_t i = 0; i < 16; i += 4) pixels.push_back(outcome.values(0).at(i + 1));
    return pixels;
  };
  CHECK(column(0, 0, 0, 0) == texts({1, 5, 25, 29}));   // (0, 0), (1, 0) of both images
  CHECK(column(1, 0, 1, 1) == texts({21, 41, 45, 0}));  // (2, 1) of image 0, (1, 1), (2, 1) of 1, no image
  CHECK(column(1, 1, 0, 1) == texts({41, 0, 0, 0}));
}

// The example of § 5.5.4.2 in small: a stride of 2, and positions from -1 on.
TEST_CASE("traversal strides of a column (5.5.4.2)") {
  const Launch launch = launch_of(
      "element = \"u32\", dims = [4, 4, 1], strides = [16, 64], element_strides = [1, 2, 1], "
      "im2col = { lower = [-1], upper = [-1], channels = 4, pixels = 2 }",
      "u32", 16, 8);
  const auto pixels = [&](int w, int offset) {
    std::string text =
        loading(fmt::format("mov.u16 %h0, {};\ncp.async.bulk.tensor.3d.shared::cluster.global.im2col."
                            "mbarrier::complete_tx::bytes [%r2], [%rd2, {{0, {}, 0}}], [%r3], {{%h0}};",
                            offset, w),
                32, 8);
    text.insert(text.find(".reg"), ".reg .b16 %h<2>; ");
    CHECK(found_by_all(text, launch) == "safe");
    const auto out = run(text, launch).values(0);
    return std::vector<std::string>{out.at(1), out.at(5)};
  };
  CHECK(pixels(-1, 0) == texts({0, 5}));  // -1 lies outside; then 1
  CHECK(pixels(-1, 1) == texts({1, 9}));  // 0 and 2
  CHECK(pixels(1, 1) == texts({9, 0}));   // 2; the next position, 3, is not in the box: -1 of image 1
}

// As an H100 does.
TEST_CASE("images have a traversal stride too (5.5.4.2)") {
  const Launch launch = launch_of(
      "element = \"u32\", dims = [4, 1, 3], strides = [16, 16], element_strides = [1, 1, 2], "
      "im2col = { lower = [0], upper = [0], channels = 4, pixels = 2 }",
      "u32", 12, 8);
  std::string text = loading(
      "mov.u16 %h0, 0;\ncp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
      "[%r2], [%rd2, {0, 0, 0}], [%r3], {%h0};",
      32, 8);
  text.insert(text.find(".reg"), ".reg .b16 %h<2>; ");
  CHECK(run(text, launch).values(0) == texts({0, 1, 2, 3, 8, 9, 10, 11}));
}

TEST_CASE("a store of a column (5.5.4)") {
  const Launch launch = launch_of(
      "element = \"s32\", dims = [4, 2, 1], strides = [16, 32], "
      "im2col = { lower = [0], upper = [0], channels = 4, pixels = 2 }",
      "s32", 8, 1);
  const std::string text = storing(
      "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%rd2, {0, 1, 0}], [%r2];");
  CHECK(run(text, launch).values(1) == texts({0, 1, 2, 3, 100, 101, 102, 103}));
  CHECK(found_by_all(text, launch) == "safe");
}

namespace {

/// What the copy is unsupported for.
std::string reason_of(const std::string& text, const Launch& launch) {
  try {
    run(text, launch);
  } catch (const Unsupported& reason) {
    const std::string what = reason.what();
    return what.substr(what.rfind(": ") + 2);
  }
  return "";
}

const std::string load_1d =
    "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd2, {0}], "
    "[%r3];";

}  // namespace

TEST_CASE("modes and maps that do not go together are named") {
  const Launch im2col = launch_of(
      "element = \"u32\", dims = [4, 4, 1], strides = [16, 64], "
      "im2col = { lower = [0], upper = [-1], channels = 4, pixels = 2 }",
      "u32", 16, 8);
  const auto load = [](const std::string& mode, const std::string& place) {
    return loading("cp.async.bulk.tensor.3d.shared::cluster.global." + mode +
                       ".mbarrier::complete_tx::bytes [%r2], [%rd2, {" + place + "}], [%r3]" +
                       (mode == "im2col" ? ", {0};" : ";"),
                   32, 8);
  };
  CHECK(reason_of(load("tile", "0, 0, 0"), im2col) == "a tensor map for another mode");
  CHECK(reason_of(load("im2col", "0, 3, 0"), im2col) == "a filter outside of the box of an im2col map");
  CHECK(reason_of(load("im2col", "0, 2, 0"), im2col) == "");
}

// PTX ISA 8.7 § 5.5.1.1.1. The bytes of `in` are the low bytes of 0, 1, 2, ….
TEST_CASE("packed elements are copied with their padding (5.5.1.1.1)") {
  const auto load = [](const std::string& type, unsigned bytes, unsigned words) {
    const Launch launch =
        launch_of(fmt::format("element = \"{}\", dims = [128], box = [128]", type), "u8", 128, words);
    return loaded(load_1d, bytes, words, launch);
  };
  const unsigned word[] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};
  CHECK(load("b4x16", 64, 4) == texts({word[0], word[1], word[2], word[3]}));
  const auto fours = [&](const std::string& type, unsigned bytes, std::initializer_list<unsigned> read) {
    std::string text = loading(load_1d, bytes, 0);
    std::string loads;
    unsigned to = 0;
    for (const unsigned from : read)
      loads += fmt::format("ld.shared.u32 %r4, [tile+{}]; st.global.u32 [%rd0+{}], %r4;\n", from, 4 * to++);
    text.insert(text.rfind("ret;"), loads);
    const Launch launch =
        launch_of(fmt::format("element = \"{}\", dims = [128], box = [128]", type), "u8", 128, to);
    const Outcome outcome = run(text, launch);
    CHECK(outcome.kinds() == "");
    CHECK(found_by_all(text, launch) == "safe");
    return outcome.values(0);
  };
  CHECK(fours("b4x16_p64", 128, {0, 4, 16, 20}) == texts({word[0], word[1], word[2], word[3]}));
  CHECK(fours("b6x16_p32", 128, {0, 4, 8, 16}) == texts({word[0], word[1], word[2], word[3]}));
}

TEST_CASE("a row of packed elements with padding has 128 of them (9.7.9.25.5.1)") {
  const Launch launch = launch_of("element = \"b4x16_p64\", dims = [128], box = [64]", "u8", 128, 1);
  CHECK(reason_of(loading(load_1d, 64, 0), launch) == "rows that this packed type does not have");
}

TEST_CASE("the padding of packed elements is uninitialized (5.5.1.1.1)") {
  const Launch launch = launch_of("element = \"b6x16_p32\", dims = [128], box = [128]", "u8", 128, 4);
  CHECK(found_by_all(loading(load_1d, 128, 4), launch) == "uninitialized");
}

// Sixteen bytes 0, 1, …: of each the lower 6 bits are stored, 12 bytes together.
TEST_CASE("a store packs elements of 6 bits (5.5.1.1.1)") {
  const Launch launch = launch_of("element = \"b6x16_p32\", dims = [128], box = [128]", "u32", 24, 1);
  std::string text =
      ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<20>;\n.shared .align 128 .b8 tile[128];\n"
      "mov.b64 %rd2, map; cvta.param.u64 %rd2, %rd2; mov.u32 %r2, tile;\n";
  for (unsigned i = 0; i < 128; ++i) text += fmt::format("st.shared.u8 [tile+{}], {};\n", i, 64 + i % 64);
  text +=
      "fence.proxy.async.shared::cta;\n"
      "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%rd2, {0}], [%r2];\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;\n}\n";
  // 0 | 1 << 6 | 2 << 12 | 3 << 18 | 4 << 24 | 5 << 30, and so on
  CHECK(run(text, launch).values(1).at(0) == std::to_string(0x440c2040u));
  CHECK(run(text, launch).values(1).at(1) ==
        std::to_string(1u | 6u << 4 | 7u << 10 | 8u << 16 | 9u << 22 | 10u << 28));
}

// What the manual leaves open is a choice of each execution: all are allowed, no other.
TEST_CASE("elements that a copy may convert (5.5.1)") {
  const auto found = [](const std::string& type, const std::string& condition) {
    Launch launch = launch_of("element = \"" + type + "\", dims = [4], box = [4]", "u32", 4, 4);
    std::string text = loading(load_1d, 16, 4);
    text.insert(text.rfind("ret;"),
                "ld.shared.u32 %r5, [tile+4];\n" + condition + "\n@%p2 bra E;\ntrap;\nE:\n");
    return found_by_all(text, launch, true);  // `run` changes nothing
  };
  // The second element is the integer 1: subnormal, and no number of tf32.
  const std::string is_one = "setp.eq.u32 %p2, %r5, 1;";
  CHECK(found("f32", is_one) == "safe");
  CHECK(found("f32.ftz", is_one) == "assertion");
  CHECK(found("f32.ftz", "setp.le.u32 %p2, %r5, 1;") == "safe");
  CHECK(found("tf32", "setp.eq.u32 %p2, %r5, 0;") == "assertion");
  CHECK(found("tf32", "and.b32 %r6, %r5, 0xffffdffe; setp.eq.u32 %p2, %r6, 0;") == "safe");
}
