// random_kernels KERNELS FIRST_SEED FAMILY FOLDER: writes the kernels of kernel_campaign, with their launch
// files. tests/gpu/run_launches.py runs them on a GPU.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "tests/kernel_campaign/random_asynchronous_kernel.hpp"
#include "tests/kernel_campaign/random_kernel.hpp"
#include "tests/kernel_campaign/random_uniform_kernel.hpp"

using namespace ptxmc;

int main(int argc, char** argv) {
  const std::map<std::string, decltype(&random_kernel)> families = {
      {"meetings", random_kernel},
      {"uniform", random_uniform_kernel},
      {"asynchronous", random_asynchronous_kernel}};
  const auto family = argc == 5 ? families.find(argv[3]) : families.end();
  if (family == families.end()) {
    fmt::print(stderr, "usage: random_kernels KERNELS FIRST_SEED meetings|uniform|asynchronous FOLDER\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10),
                      first = std::strtoull(argv[2], nullptr, 10);
  const std::filesystem::path folder = argv[4];
  std::filesystem::create_directories(folder);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string name = fmt::format("{}-{}", family->first, seed);
    const RandomKernel kernel = family->second(seed, name + ".ptx");
    std::ofstream(folder / (name + ".ptx")) << kernel.module;
    std::ofstream(folder / (name + ".toml")) << kernel.launch;
  }
}
