#include "semantics/language/diagnostic.hpp"
#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/unfolding/any_size.hpp"
#include "src/kernel/unfolding/checked_launch.hpp"

namespace ptxmc::kernel {

CheckedLaunch check(const Launch& launch, const std::vector<LaunchProperty>& properties,
                    const cat::Model& model, const DecideOptions& options, Engine engine) {
  if (!has_open_sizes(launch)) return check_known_size(launch, properties, model, options, engine);
  if (engine != Engine::automatic)
    throw Unsupported("a launch of any size, by an engine that enumerates threads", {});
  return check_any_size(launch, properties, model, options,
                        [&](const Launch& one, const auto& asked, const DecideOptions& limits) {
                          return check_known_size(one, asked, model, limits, engine);
                        });
}

}  // namespace ptxmc::kernel
