#include "src/kernel/unfolding/opened_launch.hpp"

namespace ptxmc::kernel {

OpenedLaunch open_launch(const Launch& launch) {
  OpenedLaunch result;
  result.launch = launch;
  result.module = std::make_unique<syntax::Module>(read_module_of(result.launch));
  result.loaded = std::make_unique<LoadedModule>(*result.module, result.launch.dynamic_shared);
  result.graph = std::make_unique<TermGraph>();
  return result;
}

}  // namespace ptxmc::kernel
