#pragma once

#include <array>

#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"

namespace ptxmc::kernel {

/// The position of a thread in a grid, and the shape of the grid: 32 bits each, constants or terms.
struct ThreadPosition {
  using Index = std::array<Bits, 3>;
  Index tid, ntid, ctaid, nctaid;

  /// The number of the thread in its CTA, counted along x first.
  Bits number() const { return tid[0] + ntid[0] * (tid[1] + ntid[1] * tid[2]); }
};

/// The position of the thread with this number in a CTA of a grid of this size.
ThreadPosition position_of(const Dimensions& grid, const Dimensions& block, const Dimensions& cta,
                           std::uint32_t number);

/// The thread of a launch that reads a special register.
struct ThreadContext {
  const Launch& launch;
  LoadedModule& module;
  ThreadPosition position;
  Dimensions cluster = {1, 1, 1};
  bool has_explicit_clusters = false;
  std::uint64_t grid_workspace = 0;  ///< its address, of a cooperative launch
  std::uint32_t dynamic_shared = 0;  ///< bytes of the CTA
};

/// The value of a special register with the width of the register: PTX ISA 8.7 chapter 10. It is 0 for
/// registers whose value changes without a write (clocks). Throws Unsupported.
Bits special_register_value(const syntax::LoweredRegister&, const ThreadContext&);

}  // namespace ptxmc::kernel
