#include "src/kernel/module/loaded_module.hpp"

#include <doctest/doctest.h>

#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;
using namespace ptxmc::test;

namespace {

/// The end of the shared variables of a kernel with ten of them, and these instructions.
std::uint64_t end_of_shared(const std::string& instructions, const std::string& target) {
  std::string text =
      ".version 8.7\n.target " + target + "\n.address_size 64\n.visible .entry k(.param .u64 out) {\n";
  for (int i = 0; i < 10; ++i) text += ".shared .align 1024 .b8 tile" + std::to_string(i) + "[8192];\n";
  Launch launch = out_of({0}, 1);
  launch.entries = {"k"};
  launch.module = written_file("tiles.ptx", text + instructions + "ret;\n}\n");
  launch.file = "tiles.toml";
  const OpenedLaunch opened = open_launch(launch);
  std::uint64_t end = 0;
  for (const Allocation& variable : opened.loaded->shared.all()) end = std::max(end, variable.end());
  return end;
}

}  // namespace

TEST_CASE("all shared variables are within the addresses of matrix descriptors") {
  constexpr std::uint64_t end_of_descriptors =
      1 << 18;  // PTX ISA 8.7 § 9.7.15.5.1: 14 bits of units of 16 bytes
  CHECK(end_of_shared("tcgen05.wait::ld.sync.aligned;\n", "sm_100a") <= end_of_descriptors);
  CHECK(end_of_shared("wgmma.fence.sync.aligned;\n", "sm_90a") <= end_of_descriptors);
  // Elsewhere an address far beyond a variable should not be that of another one.
  CHECK(end_of_shared("", "sm_90a") > end_of_descriptors);
}
