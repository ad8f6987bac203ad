// Real kernels, executed: the correct ones finish without a finding under 200 random interleavings, and the
// verdict of no launch file is contradicted. What uses instructions that are not executed yet is left out.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/machine/run.hpp"
#include "src/ptx/check.hpp"

using namespace ptxmc;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t seeds = 200, step_limit = 200'000;

std::vector<fs::path> launch_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(PTXMC_SHARED_INPUTS) / "kernels"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

syntax::Module module_of(const kernel::Launch& launch) {
  std::ifstream in(launch.module, std::ios::binary);
  const auto source = std::make_shared<const SourceText>(launch.module.string(),
                                                         std::string(std::istreambuf_iterator<char>(in), {}));
  syntax::Diagnostics diagnostics;
  return syntax::read_module(source, ptx(), diagnostics);
}

/// False when the launch is not supported.
bool check_seeds(const kernel::Launch& launch, const syntax::Module& module) {
  const bool is_safe = launch.expected == std::vector<std::string>{"safe"};
  for (std::uint64_t seed = 0; seed < (is_safe ? seeds : 5); ++seed) {
    kernel::RunResult result;
    try {
      result = kernel::run_launch(launch, module, {seed, step_limit}, [](const std::string&) {});
    } catch (const Unsupported&) {
      return false;
    }
    CAPTURE(launch.file.string());
    CAPTURE(seed);
    CHECK(kernel::compare_with_expected(launch, result).contradicted == std::vector<std::string>{});
    if (is_safe) CHECK(result.findings.size() == 0);
  }
  return true;
}

}  // namespace

TEST_CASE("kernels under random interleavings") {
  std::size_t executed = 0;
  for (const fs::path& file : launch_files()) {
    const kernel::Launch launch = kernel::read_launch(file);
    if (check_seeds(launch, module_of(launch))) ++executed;
  }
  CHECK(executed >= 100);
}
