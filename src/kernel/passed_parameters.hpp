#pragma once

#include "src/kernel/launch.hpp"
#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

/// What a launch passes to its kernels.
struct PassedParameters {
  std::vector<std::uint64_t> buffers;             ///< by parameter: the address of its own; 0: none
  std::vector<std::vector<std::uint8_t>> values;  ///< by parameter: its bytes; 0 for a scalar of any value
  std::uint64_t grid_workspace = 0;               ///< its address, of a cooperative launch
  AddressSpace global, constant;                  ///< as the launch begins: with variables and buffers
};

/// Makes the buffers in global memory: as large as said, aligned to 256 bytes. A cooperative launch has a
/// workspace behind them, which is 0 at first.
PassedParameters pass_parameters(const Launch&, const LoadedModule&);

}  // namespace ptxmc::kernel
