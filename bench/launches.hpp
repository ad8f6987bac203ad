#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ptxmc::bench {

/// A launch file and what its answer is called.
struct MeasuredLaunch {
  std::string name;
  std::filesystem::path file;
};

/// Launches of growing size, written into a folder with their modules: block reductions, saxpy whose `n` is
/// open, spin locks, a barrier of the grid, pipelines of asynchronous copies, meetings at an mbarrier, and
/// kernels without locks up to a million threads and for any size. Those of modules that do not stand beside
/// the checkout are left out.
std::vector<MeasuredLaunch> write_launches(const std::filesystem::path& folder);

}  // namespace ptxmc::bench
