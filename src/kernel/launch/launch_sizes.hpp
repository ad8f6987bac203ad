#pragma once

#include <array>
#include <string>

#include "src/kernel/launch/condition.hpp"
#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// The size of a launch: 32 bits each, constants or terms.
struct LaunchSizes {
  std::array<Bits, 3> grid, block;
};

/// The numbers of a size; 1 in open dimensions.
LaunchSizes sizes_of(const GridSize&);

/// The values of `block.x`, `grid.y` and so on, also called `blockDim.x` and `gridDim.y`; of other names what
/// `others` says.
NumberOf with_sizes(const LaunchSizes&, NumberOf others);

/// Whether a size of the launch is open: that of its grid or block, or the length of memory that depends on
/// these or on a scalar of any value.
bool has_open_sizes(const Launch&);

/// The launch with numbers in place of expressions for lengths. Throws InputError for a length that is none,
/// and Unsupported if has_open_sizes.
Launch with_known_lengths(Launch);

/// `8x2x1`, `anyx1x1`
std::string size_text(const Dimensions&, const OpenDimensions&);

}  // namespace ptxmc::kernel
