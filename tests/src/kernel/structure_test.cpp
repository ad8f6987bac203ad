// Structures by value with numbers of any value: docs/launch-format.md.
#include <doctest/doctest.h>

#include "src/kernel/launch/launch_file.hpp"
#include "tests/src/kernel/found_by_all.hpp"

using namespace ptxmc;
using namespace ptxmc::test;

namespace {

/// Four threads of `k`, which has a structure of an address at 0 and a number at 8.
Launch launch_of_length(const std::string& length, const std::string& keys = "") {
  const std::string text = R"(module = "k.ptx"
entry = "k"
grid = [1]
block = [4]
)" + keys + R"(
[[param]]
name = "s"
bytes = 16
fields = [{ offset = 0, address_of = "p" }, { offset = 8, name = "n", type = "s32", value = "any" }]
[[buffer]]
name = "p"
type = "s32[)" + length + R"(]"
init = 0
)";
  return parse_launch(text, "k.toml", [](SourcePosition where) { return LaunchPlace{"k.toml", where}; });
}

/// Thread i stores n to p[i] if i < n.
const std::string store_below_n = R"(.visible .entry k(.param .align 8 .b8 s[16]) {
.reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .pred %p;
ld.param.u64 %rd0, [s];
ld.param.s32 %r0, [s+8];
mov.u32 %r1, %tid.x;
setp.ge.s32 %p, %r1, %r0;
@%p ret;
mul.wide.u32 %rd1, %r1, 4;
add.u64 %rd1, %rd0, %rd1;
st.global.u32 [%rd1], %r0;
ret;
}
)";

}  // namespace

TEST_CASE("a number in a structure has every value that is assumed") {
  CHECK(found_by_all(store_below_n, launch_of_length("4"), true) == "safe");
  CHECK(found_by_all(store_below_n, launch_of_length("3"), true) == "out-of-bounds");
  CHECK(found_by_all(store_below_n, launch_of_length("3", "assume = \"n < 4\"\n"), true) == "safe");
}

TEST_CASE("conditions speak of a number in a structure by its name") {
  Launch launch = launch_of_length("4", "assume = \"n == 2 || n == 5\"\n");
  launch.final_condition = "p[0] == n && (p[2] == 0 || n == 5)";
  launch.final_where = {"k.toml", {1, 1}};
  CHECK(found_by_all(store_below_n, launch, true) == "safe");
  launch.final_condition = "p[0] == 2";
  CHECK(found_by_all(store_below_n, launch, true) == "assertion");
}

TEST_CASE("a run chooses numbers of structures") {
  const Outcome outcome = run(store_below_n, launch_of_length("4", "assume = \"n == 1\"\n"));
  CHECK(outcome.kinds().empty());
  CHECK(outcome.values() == std::vector<std::string>{"1", "0", "0", "0"});
}
