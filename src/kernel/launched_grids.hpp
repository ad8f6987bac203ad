#pragma once

#include <vector>

#include "src/kernel/launch.hpp"
#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

/// One kernel of a launch and what is particular to its grid.
struct LaunchedGrid {
  const syntax::Function* entry = nullptr;
  std::size_t first_parameter = 0, parameter_count = 0;  ///< among those of the launch
  Dimensions cluster = {1, 1, 1};                        ///< CTAs of a cluster
  bool has_explicit_clusters = false;
};

/// The grids of a launch; the parameters of several kernels stand one after the other. Throws InputError when
/// an entry does not exist, or when parameters are not as many and as large as it wants them.
std::vector<LaunchedGrid> launched_grids(const Launch&, const LoadedModule&);

}  // namespace ptxmc::kernel
