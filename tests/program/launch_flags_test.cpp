// Launches made of flags: what is wrong in a flag is said of the flag.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "run.hpp"

namespace {

/// `check` of a kernel with a pointer and a number, and flags.
std::string checked(const std::string& flags) {
  const auto file =
      std::filesystem::temp_directory_path() / ("ptxmc-flags-" + std::to_string(getpid()) + ".ptx");
  std::ofstream(file) << ".version 8.7\n.target sm_90\n.address_size 64\n.const .u32 limit;\n"
                         ".visible .entry k(.param .u64 x, .param .u32 n) { .reg .u64 a; .reg .u32 i;\n"
                         "ld.param.u64 a, [x]; ld.const.u32 i, [limit]; st.global.u32 [a], i; ret; }\n";
  const Run result = run("check " + file.string() + " --entry k " + flags);
  std::filesystem::remove(file);
  return result.output;
}

const std::string both = "--param x=u32[1]:0 --param n=u32:1 ";

}  // namespace

TEST_CASE("an error names the flag, what was found and what was expected") {
  CHECK(contains(checked(both), ": safe\n"));
  CHECK(checked("--param x=u32[1]:0 --param n=u32:xyz") ==
        "--param n=u32:xyz: error: found \"xyz\", expected a number or \"any\"\n");
  CHECK(checked("--param x=u32[1]:0 --param n=u8:256") ==
        "--param n=u8:256: error: found 256, expected 0 to 255\n");
  CHECK(checked("--param x=u32[1]:0 --param 'n=u32:1 # 2'") ==
        "--param n=u32:1 # 2: error: found '1 # 2', expected a number, 'any', or the name of a buffer\n");
  CHECK(checked("--param x=u32[2]:1,2,3 --param n=u32:1") ==
        "--param x=u32[2]:1,2,3: error: found 3 numbers, expected 2\n");
  CHECK(checked("--param x=u32[1]:0 --param n=u64:1") ==
        "--param n=u64:1: error: found 8 bytes for parameter 'n', expected the 4 of 'n'\n");
  CHECK(checked("--param x=u32[1]:0") == "--entry k: error: found 1 parameters, expected the 2 of 'k'\n");
  CHECK(checked(both + "--param m=u32:1") ==
        "--param m=u32:1: error: found 3 parameters, expected the 2 of 'k'\n");
  CHECK(checked(both + "--assume 'm > 0'") ==
        "--assume: error: in the condition 'm > 0': found 'm' at character 1, expected a scalar parameter or "
        "an element of a buffer\n");
  CHECK(checked(both + "--grid 4 --cluster 3") ==
        "--grid 4: error: found grid = [4, 1, 1], expected a whole number of clusters of [3, 1, 1]\n");
  CHECK(checked(both + "--grid 4 --cluster 1..4") ==
        "--cluster: error: found '1..4', expected one size, such as 4 or 4,2,1\n");
}

TEST_CASE("a note says of which variables the 0 without initial value counts, and how to say otherwise") {
  const std::string has_none =
      "note: limit has no initial value in the module and is read as 0 (PTX ISA 8.7 § 5.4.4); if the host or "
      "an earlier launch writes it, say so with [[variable]] or --variable\n";
  CHECK(contains(checked(both), has_none));
  CHECK(contains(checked(both + "--final 'x[0] == 7'"), "    " + has_none));
  CHECK_FALSE(contains(checked(both + "--variable limit=u32:0"), "note:"));
  CHECK(contains(checked(both + "--json"), "\"assumed_zero\":[\"limit\"]"));
  CHECK(contains(checked(both + "--json --variable limit=u32:0"), "\"assumed_zero\":[]"));
}

TEST_CASE("a flag says what a variable of the module holds") {
  CHECK(contains(checked(both + "--final 'x[0] == 0'"), ": safe\n"));
  CHECK(contains(checked(both + "--final 'x[0] == 7' --variable limit=u32:7"), ": safe\n"));
  CHECK(contains(checked(both + "--final 'x[0] == 7' --variable limit=u32:any"), ": assertion\n"));
  CHECK(contains(checked(both + "--final 'x[0] < 9' --variable limit=u32:any --assume 'limit[0] < 9'"),
                 ": safe\n"));
  CHECK(contains(
      checked(both + "--variable bound=u32:7"),
      "--variable bound=u32:7: error: found variable 'bound', expected one of .global or .const in"));
  CHECK(checked(both + "--variable limit=u32[2]:7") ==
        "--variable limit=u32[2]:7: error: found 8 bytes for variable 'limit', expected its 4\n");
}

TEST_CASE("final states are shown in place of findings") {
  CHECK(contains(checked(both + "--states x"), ": 1 final state\nx[0]=0;\n"));
  CHECK(contains(checked(both + "--exists 'x[0] == 7'"), ": exists x[0] == 7: forbidden\n"));
  CHECK(checked(both + "--states y") ==
        "--states: error: found `y`, expected a buffer or a global variable of the launch: x\n");
  CHECK(contains(checked(both + "--states x --json"),
                 "\"states\":[{\"count\":null,\"matches\":true,"
                 "\"values\":{\"x[0]\":0}}],\"complete\":true"));
  CHECK(contains(checked(both + "--states x --property race"), "--property excludes --states"));
}
