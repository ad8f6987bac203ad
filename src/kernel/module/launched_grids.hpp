#pragma once

#include <vector>

#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"

namespace ptxmc::kernel {

/// One kernel of a launch and the properties of its grid.
struct LaunchedGrid {
  const syntax::Function* entry = nullptr;
  Dimensions grid = {1, 1, 1}, block = {1, 1, 1};
  std::size_t first_parameter = 0, parameter_count = 0;  ///< among those of the launch
  Dimensions cluster = {1, 1, 1};                        ///< CTAs of a cluster
  bool has_explicit_clusters = false;
  std::uint32_t dynamic_shared = 0;  ///< bytes of each CTA
  bool cancels_clusters = false;     ///< its module has clusterlaunchcontrol.try_cancel
  int prerequisite = -1;             ///< the number of the grid whose dependent it is; -1: none
  bool starts_late = false;          ///< when its prerequisite has completed, and not before
};

/// The parameters of an entry, in order.
std::vector<syntax::SymbolId> parameters_of(const syntax::Function& entry);

/// The grids of a launch. The launch lists the parameters of several kernels one after the other. Throws
/// InputError if an entry does not exist, or if its parameters differ from the launch in number or size.
std::vector<LaunchedGrid> launched_grids(const Launch&, const LoadedModule&);

}  // namespace ptxmc::kernel
