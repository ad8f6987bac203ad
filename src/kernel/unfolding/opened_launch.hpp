#pragma once

#include <memory>

#include "semantics/values/bits.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"
#include "src/kernel/module/module_file.hpp"

namespace ptxmc::kernel {

/// A launch with its module, ready to be unfolded.
struct OpenedLaunch {
  Launch launch;
  std::unique_ptr<syntax::Module> module;
  std::unique_ptr<LoadedModule> loaded;  ///< events point to its instructions
  std::unique_ptr<TermGraph> graph;
};

/// Reads the module of a launch, finds its entries, and evaluates the lengths of its memory. Throws
/// InputError, and Unsupported also if a size is open.
OpenedLaunch open_launch(const Launch&);
/// The same for a launch with sizes that are open. Dynamic shared memory of open size has its maximum.
OpenedLaunch open_launch_of_any_size(const Launch&);

}  // namespace ptxmc::kernel
