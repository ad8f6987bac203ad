// `ptxmc litmus --emit-cuda` as the shell sees it.
#include <filesystem>

#include "run.hpp"
#include "test_folder.hpp"

namespace {

const std::string tests = PTXMC_SOURCE_DIR "/litmus/";

}  // namespace

TEST_CASE("each test has a program of CUDA, and others are refused by name") {
  const TestFolder folder;
  const std::string out = (folder.path / "cuda").string();
  const Run written = run("litmus " + tests + "manual/manual-MP.litmus --emit-cuda " + out);
  CHECK(written.status == 0);
  CHECK(std::filesystem::exists(folder.path / "cuda/manual-MP.cu"));
  const Run refused = run("litmus " + tests + "cpp/MP-await.litmus --emit-cuda " + out);
  CHECK(refused.status == 3);
  CHECK(contains(refused.output, "unsupported: a test of C++"));
  CHECK(run("litmus " + tests + "manual/manual-MP.litmus --no-states --emit-cuda " + out).status == 2);
  CHECK(run("litmus " + tests + "manual/manual-MP.litmus --race --emit-cuda " + out).status == 2);
}

TEST_CASE("nvcc compiles the programs") {
  if (shell("command -v nvcc").status != 0) {
    MESSAGE("no nvcc: the programs are not compiled");
    return;
  }
  const TestFolder folder;
  const std::string out = folder.path.string();
  REQUIRE(run("litmus " + tests + "manual/manual-MP.litmus " + tests +
              "asynchronous/st.async-MP-wait-cta.litmus "
              "--emit-cuda " +
              out)
              .status == 0);
  for (const char* architecture : {"sm_80", "sm_90"})
    CHECK(shell("nvcc -cubin -arch=" + std::string(architecture) + " -o " + out + "/mp.cubin " + out +
                "/manual-MP.cu 2>&1")
              .output.empty());
  CHECK(shell("nvcc -cubin -arch=sm_90 -o " + out + "/cluster.cubin " + out + "/st.async-MP-wait-cta.cu 2>&1")
            .status == 0);
}
