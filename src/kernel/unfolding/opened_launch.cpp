#include "src/kernel/unfolding/opened_launch.hpp"

#include "src/kernel/launch/element_values.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/module/entry_names.hpp"

namespace ptxmc::kernel {

namespace {

OpenedLaunch open(Launch launch) {
  OpenedLaunch result;
  result.module = std::make_unique<syntax::Module>(read_module_of(launch));
  result.launch = with_ptx_names(std::move(launch), *result.module);
  const bool is_open = !result.launch.dynamic_shared_length.empty();
  result.loaded = std::make_unique<LoadedModule>(
      *result.module, is_open ? most_dynamic_shared : largest_dynamic_shared(result.launch));
  result.graph = std::make_unique<TermGraph>();
  return result;
}

}  // namespace

OpenedLaunch open_launch(const Launch& launch) { return open(with_known_lengths(launch)); }

OpenedLaunch open_launch_of_any_size(const Launch& launch) { return open(launch); }

}  // namespace ptxmc::kernel
