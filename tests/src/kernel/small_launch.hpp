#pragma once

#include <vector>

#include "src/kernel/module/launch.hpp"

namespace ptxmc::test {

/// A launch with CTAs and threads in one dimension.
inline kernel::Launch launch_with(std::vector<kernel::Parameter> parameters, std::uint32_t threads = 1,
                                  std::uint32_t ctas = 1) {
  kernel::Launch launch;
  launch.grid = {ctas, 1, 1};
  launch.block = {threads, 1, 1};
  launch.parameters = std::move(parameters);
  return launch;
}

}  // namespace ptxmc::test
