#pragma once

#include "src/kernel/launch.hpp"
#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

/// Which thread of a launch asks for the value of a special register.
struct ThreadContext {
  const Launch& launch;
  LoadedModule& module;
  Dimensions cta = {};
  std::uint32_t thread = 0;  ///< its number in the CTA
  Dimensions cluster = {1, 1, 1};
  bool has_explicit_clusters = false;
  std::uint64_t grid_workspace = 0;  ///< its address, of a cooperative launch
};

/// PTX ISA 8.7 chapter 10; 0 for those that change by themselves. Throws Unsupported.
std::uint64_t special_register_value(const syntax::LoweredRegister&, const ThreadContext&);

}  // namespace ptxmc::kernel
