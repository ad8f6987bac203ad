#pragma once

#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"

namespace ptxmc::kernel {

/// A multimem address, and the addresses of the buffers that it stands for.
struct MultimemRange {
  std::uint64_t first = 0;
  std::vector<std::uint64_t> buffers;
};

/// The parameters that a launch passes to its kernels.
struct PassedParameters {
  std::vector<std::uint64_t> buffers;             ///< by parameter: the address of its buffer; 0: none
  std::vector<std::vector<std::uint8_t>> values;  ///< by parameter: its bytes; 0 for a scalar of any value
  std::vector<MultimemRange> multimem;
  std::uint64_t grid_workspace = 0;  ///< its address, of a cooperative launch
  AddressSpace global, constant;     ///< memory at the start of the launch: variables and buffers
};

/// The replicas of a known multimem address (Effects::replicas). Throws UnhandledEffect if it is not known.
std::vector<Bits> replicas_of(const std::vector<MultimemRange>&, const Bits& address);

/// Allocates the buffers in global memory, aligned to 256 bytes. A buffer whose length is open has no bytes.
/// A cooperative launch has a workspace after them, which holds zeros.
PassedParameters pass_parameters(const Launch&, const LoadedModule&);

}  // namespace ptxmc::kernel
