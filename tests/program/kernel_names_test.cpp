// Kernels by their names, and flags that say how they are launched.
#include "run.hpp"
#include "test_folder.hpp"
#include "two_kernels.hpp"

namespace {

const std::string kernels = PTXMC_SOURCE_DIR "/tests/kernels/";

}  // namespace

TEST_CASE("entries are found by their C++ names, and need no name where there is one") {
  const TestFolder folder;
  folder.add("two.ptx", two_kernels);
  const std::string named = folder.add("named.toml", launch_of("entry = \"twice<int>\"\n"));
  CHECK(contains(run("run " + named).output, "x: s32[4] = {6, 3, 3, 3}"));
  CHECK(contains(run("check --json " + named).output, "\"entry\":\"_Z5twiceIiEvPT_\""));
  CHECK(contains(run("run --entry k " + named).output, "x: s32[4] = {0, 3, 3, 3}"));
  const std::string unnamed = folder.add("unnamed.toml", launch_of(""));
  for (const char* verb : {"run ", "check ", "fences "}) {
    const Run several = run(verb + unnamed);
    CHECK(several.status == 2);
    CHECK(contains(several.output,
                   "unnamed.toml:1:1: error: found no name of an entry, expected one of the 2"));
  }
  CHECK(contains(run("run --module " + kernels + "scale_ok.ptx " + unnamed).output,
                 "unnamed.toml:1:1: error: found 1 parameters, expected the 3 of 'scale'"));
  CHECK(contains(
      run("check " + kernels + "scale_ok.ptx --param n=s32:2 --param f=f32:1 --param x=f32[2]:0").output,
      ": safe\n"));
  CHECK(contains(
      run("run " + kernels + "scale_ok.ptx --block 2 --param n=s32:2 --param f=f32:2 --param x=f32[2]:1")
          .output,
      "x: f32[2] = {2, 2}"));
}

TEST_CASE("a null pointer is a number") {
  const TestFolder folder;
  folder.add("two.ptx", two_kernels);
  const std::string file = folder.add(
      "null.toml",
      "module = \"two.ptx\"\nentry = \"k\"\ngrid = [1]\nblock = [1]\n[[param]]\nname = \"x\"\ntype = "
      "\"u64\"\nvalue = 0\n");
  CHECK(contains(run("run " + file).output, ": out-of-bounds: "));
  CHECK(contains(run("check " + file).output, ": out-of-bounds\n"));
}

TEST_CASE("--dynamic-shared gives the size of dynamic shared memory, in place of the file") {
  const TestFolder folder;
  folder.add("k.ptx",
             ".version 8.7\n.target sm_90\n.address_size 64\n.extern .shared .b32 tile[];\n"
             ".visible .entry k() { .reg .u32 a, t; mov.u32 t, %tid.x; shl.b32 a, t, 2; mov.u32 t, tile;\n"
             "add.u32 a, a, t; st.shared.u32 [a], t; ret; }\n");
  const std::string file = folder.add("k.toml", "module = \"k.ptx\"\ngrid = [1]\nblock = [8]\n");
  for (const char* verb : {"run ", "check "}) {
    CHECK(contains(run(verb + file).output, "out-of-bounds"));
    CHECK(contains(run(verb + file + " --dynamic-shared 28").output, "out-of-bounds"));
    CHECK(run(verb + file + " --dynamic-shared 32").status == 0);
    CHECK(run(verb + file + " --dynamic-shared '4 * block.x'").status == 0);
  }
  CHECK(run("check " + file + " --block any --dynamic-shared '4 * block.x'").status == 0);
  CHECK(run("check " + file + " --dynamic-shared 1048577").output ==
        "--dynamic-shared: error: found 1048577, expected 0 to 1048576\n");
  CHECK(contains(run("run " + file + " --dynamic-shared 4*blok").output, "--dynamic-shared: error: "));
}
