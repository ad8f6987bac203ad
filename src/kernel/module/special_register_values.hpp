#pragma once

#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"

namespace ptxmc::kernel {

/// The thread of a launch that reads a special register.
struct ThreadContext {
  const Launch& launch;
  LoadedModule& module;
  Dimensions cta = {};
  std::uint32_t thread = 0;  ///< its number in the CTA
  Dimensions cluster = {1, 1, 1};
  bool has_explicit_clusters = false;
  std::uint64_t grid_workspace = 0;  ///< its address, of a cooperative launch
};

/// The value of a special register: PTX ISA 8.7 chapter 10. It is 0 for registers whose value changes without
/// a write (clocks). Throws Unsupported.
std::uint64_t special_register_value(const syntax::LoweredRegister&, const ThreadContext&);

}  // namespace ptxmc::kernel
