// Every launch of kernels/ is unfolded, or refused for an instruction that has no rule yet.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/launch_file.hpp"
#include "src/kernel/unfolding/unfolded_launch.hpp"
#include "src/ptx/check.hpp"

using namespace ptxmc;
using namespace ptxmc::kernel;

namespace {

constexpr std::array allowed = {"mbarrier.", "cp.async", "wmma."};

/// What was refused; empty: nothing.
std::string refusal(const std::filesystem::path& file) {
  const Launch launch = read_launch(file);
  std::ifstream in(launch.module);
  const auto source = std::make_shared<const SourceText>(launch.module.string(),
                                                         std::string(std::istreambuf_iterator<char>(in), {}));
  syntax::Diagnostics diagnostics;
  const syntax::Module module = syntax::read_module(source, ptx(), diagnostics);
  LoadedModule loaded(module, launch.dynamic_shared);
  TermGraph graph;
  UnfoldOptions options;
  options.may_wait_for_ever = true;
  try {
    const auto unfolded = unfold_launch(loaded, launch, graph, options);
    CHECK(unfolded->program.threads.size() == volume(launch.grid) * volume(launch.block));
    for (const auto& endings : unfolded->structure.endings) CHECK_FALSE(endings.empty());
  } catch (const Unsupported& unsupported) {
    return unsupported.what();
  }
  return {};
}

}  // namespace

TEST_CASE("real launches are unfolded") {
  std::size_t unfolded = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PTXMC_SHARED_INPUTS "/kernels")) {
    if (entry.path().extension() != ".toml") continue;
    INFO(entry.path().string());
    const std::string refused = refusal(entry.path());
    INFO(refused);
    if (refused.empty())
      ++unfolded;
    else
      CHECK(std::ranges::any_of(allowed, [&](const char* prefix) { return refused.starts_with(prefix); }));
  }
  CHECK(unfolded > 0);
}
