// Tensor maps that a kernel writes (PTX ISA 8.7 § 9.7.9.26, § 9.7.13.4,
// § 9.7.13.16) under `check`.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/unfolding/tensor_map_contents.hpp"
#include "src/report/launch_findings.hpp"
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// The steps of a kernel that makes a tensor map in global memory and uses it.
struct Steps {
  std::string replace = "tensormap.replace.tile.global_address.global.b1024.b64 [%rd1], %rd2;";
  std::string release = "fence.proxy.tensormap::generic.release.gpu;";
  std::string between = "";  ///< between the fences
  std::string acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;";
};

/// A thread copies the parameter `map` to the buffer `made`, where it replaces
/// the address of the tensor by that of `other`, and loads 16 bytes with it.
/// `out` then has the first and the last word.
std::string making(const Steps& steps) {
  std::string copy;
  for (unsigned at = 0; at < 128; at += 8)
    copy += fmt::format("ld.param.u64 %rd3, [map+{}]; st.global.u64 [%rd1+{}], %rd3;\n", at, at);
  return ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, "
         ".param .u64 made, .param .u64 "
         "other) {\n.reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<9>;\n"
         ".shared .align 128 .b8 tile[32]; .shared .align 8 .b64 bar;\n"
         "ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [made]; ld.param.u64 "
         "%rd2, [other];\n" +
         copy + steps.replace + "\n" + steps.release + "\n" + steps.between + "\n" + steps.acquire +
         "\nmov.u32 %r2, tile; mov.u32 %r3, bar;\n"
         "mbarrier.init.shared::cta.b64 [%r3], 1; "
         "fence.proxy.async.shared::cta;\n"
         "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 16;\n"
         "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::"
         "complete_tx::bytes [%r2], [%rd1, "
         "{0}], [%r3];\n"
         "L: mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3], 0;\n@!%p1 "
         "bra L;\n"
         "ld.shared.u32 %r4, [tile]; st.global.u32 [%rd0], %r4;\n"
         "ld.shared.u32 %r4, [tile+12]; st.global.u32 [%rd0+4], "
         "%r4;\nret;\n}\n";
}

Launch launch_of(const std::string& text) {
  Launch launch = parse_launch(
      "module = \"k.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n"
      "[final]\nassert = \"out[0] == 100 && out[1] == 103\"\n"
      "[[param]]\nname = \"map\"\n"
      "tensormap = { buffer = \"in\", element = \"u32\", dims = [4], box = [4] "
      "}\n"
      "[[param]]\nname = \"out\"\nbuffer = \"u32[2]\"\ninit = 0\n"
      "[[param]]\nname = \"made\"\nbuffer = \"u64[16]\"\ninit = 0\n"
      "[[param]]\nname = \"other\"\nbuffer = \"u32[4]\"\ninit = [100, 101, "
      "102, 103]\n"
      "[[buffer]]\nname = \"in\"\ntype = \"u32[4]\"\ninit = [7, 8, 9, 10]\n",
      "k.toml", [](SourcePosition where) {
        return LaunchPlace{"k.toml", where};
      });
  launch.module = written_file("k.ptx", ".version 8.7\n.target sm_90a\n.address_size 64\n" + text);
  launch.file = "k.toml";
  return launch;
}

std::string checked(const Steps& steps, Engine engine = Engine::automatic) {
  return verdict(launch_of(making(steps)), engine);
}

/// The verdict without what is unknown besides.
std::string found(const Steps& steps) {
  const std::string text = checked(steps);
  return text.substr(0, text.find(" unknown"));
}

}  // namespace

TEST_CASE("a tensor map that is published and acquired can be used") {
  CHECK(checked({}) == "safe");
  CHECK(checked({}, Engine::smt) == "safe");
}

TEST_CASE(
    "without one of the two fences, or for other bytes, the map is read "
    "in a race (9.7.13.4)") {
  CHECK(found({.release = ""}) == "race");
  CHECK(found({.acquire = ""}) == "race");
  CHECK(found({.acquire = "fence.proxy.tensormap::generic.acquire.gpu "
                          "[%rd1+128], 128;"}) == "race");
}

TEST_CASE("two fences of one direction are no pair (9.7.13.4)") {
  CHECK(found({.release = Steps().acquire}) == "race");
  CHECK(found({.acquire = Steps().release}) == "race");
}

TEST_CASE("a memory fence is no half of a pair of tensormap fences (9.7.13.4)") {
  CHECK(found({.release = "fence.release.gpu;"}) == "race");
  CHECK(found({.acquire = "fence.acquire.gpu;"}) == "race");
}

TEST_CASE("the hint says which of the two fences is missing, and where") {
  const auto hint = [](const Steps& steps) {
    const CheckedLaunch checked =
        check(launch_of(making(steps)), {LaunchProperty::race}, cat::load("ptx-8.7"), {}, Engine::automatic);
    const auto texts = finding_texts(checked.answer, "", kernel::SourceLines(*checked.module));
    return texts.empty() ? std::string() : texts.back().hint;
  };
  const std::string release =
                        "fence.proxy.tensormap::generic.release.cta (or "
                        "tensormap.cp_fenceproxy) in thread",
                    acquire =
                        "fence.proxy.tensormap::generic.acquire.cta with "
                        "the address of the map in thread";
  const std::string without_release = hint({.release = ""}), without_acquire = hint({.acquire = ""}),
                    without_both = hint({.release = "", .acquire = ""});
  CHECK(without_release.find(release) != std::string::npos);
  CHECK(without_release.find(acquire) == std::string::npos);
  CHECK(without_acquire.find(acquire) != std::string::npos);
  CHECK(without_acquire.find(release) == std::string::npos);
  CHECK(without_both.find(release) != std::string::npos);
  CHECK(without_both.find(acquire) != std::string::npos);
}

TEST_CASE("a write behind the release is not published") {
  CHECK(found({.replace = "", .between = Steps().replace}) == "race");
}

TEST_CASE("a map that is written in parts of other sizes before it is changed") {
  CHECK(checked({.replace = "cvt.u32.u64 %r9, %rd2; st.global.u32 [%rd1], %r9;\n"
                            "shr.u64 %rd4, %rd2, 32; cvt.u32.u64 %r9, %rd4; "
                            "st.global.u32 [%rd1+4], %r9;\n"
                            "tensormap.replace.tile.fill_mode.global.b1024.b32 "
                            "[%rd1], 0;"}) == "safe");
}

TEST_CASE("a wrong map: another tensor, or one that is larger than its memory") {
  CHECK(checked({.replace = ""}) == "assertion");
  CHECK(checked({.replace = "tensormap.replace.tile.global_address.global."
                            "b1024.b64 [%rd1], %rd0;"}) == "out-of-bounds");
  CHECK(checked({.replace = Steps().replace + "\ntensormap.replace.tile.global_dim.global.b1024."
                                              "b32 [%rd1], 0, 2;"}) == "assertion");
}

TEST_CASE("the words of tensor maps are mixed if there are few of them") {
  using kernel::with_mixed_words;
  const auto map = [](std::uint64_t address, std::uint64_t size) {
    TensorMap result;
    result.set_field(global_address_field, Bits(64, address));
    result.set_field(global_stride_field(0), Bits(64, size));
    return result;
  };
  const std::vector<TensorMap> two = {map(1, 1), map(2, 2)};
  CHECK(with_mixed_words({}, 4).empty());
  CHECK(with_mixed_words(two, 4).size() == 4);
  CHECK(with_mixed_words(two, 3).size() == 2);
  const std::vector<TensorMap> mixed = with_mixed_words(two, 4);
  CHECK(std::ranges::any_of(mixed, [&](const TensorMap& each) { return identical(each, map(1, 2)); }));
}
