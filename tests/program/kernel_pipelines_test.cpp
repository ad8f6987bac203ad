// `ptxmc check` of pipelines in which threads have roles, with mistakes after which the phases of mbarriers
// depend on the order of the threads: what a few interleavings show.
#include "run.hpp"

namespace {

Run check_roles(int mistake) {
  return run("check --property race " PTXMC_SOURCE_DIR
             "/tests/kernels/pipeline_roles.ptx --entry roles --block 64 --param mistake=u32:" +
             std::to_string(mistake) + " --param tiles=u32:4 --param in=u32[128]:any --param out=u32[128]");
}

}  // namespace

TEST_CASE("a race of threads with roles is found although not all phases are known") {
  CHECK(contains(check_roles(0).output, ": safe"));
  CHECK(contains(check_roles(3).output, ": race"));  // no consumer waits for the copies
  CHECK(contains(check_roles(5).output, ": race"));  // the producers do not wait for room
}
