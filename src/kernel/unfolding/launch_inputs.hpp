#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "solver/unfolding/private_memory.hpp"
#include "src/kernel/launch/condition.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/passed_parameters.hpp"

namespace ptxmc::kernel {

/// A variable of the module that holds 0 because neither the module nor the launch gives its content.
struct ZeroVariable {
  std::string name;
  std::uint64_t location = 0, size = 0;
  Bits is_read = {};  ///< in constant memory: some thread reads it (width 1); else width 0
};

/// What a launch gives to its kernels, except the content of global memory. What it leaves open is an
/// unknown, the same for all threads.
struct LaunchInputs {
  PassedParameters passed;
  std::vector<Bits> scalars;              ///< by parameter: a scalar of any value; otherwise width 0
  std::vector<std::vector<Bits>> values;  ///< by parameter: its bytes
  std::vector<std::shared_ptr<const PrivateBlock>> constants;  ///< constant memory, which no access may write
  /// By parameter: the elements of a variable in constant memory.
  std::vector<std::vector<Bits>> constant_elements;
  std::vector<ZeroVariable> zero_constants;  ///< variables of constant memory
};

/// `scalars`: by parameter the value of a scalar that the launch leaves open, or width 0; or empty.
LaunchInputs launch_inputs(const Launch&, const LoadedModule&, TermGraph&,
                           const std::vector<Bits>& scalars = {});

/// The value of an element of a buffer, by parameter; width 0 if it has none.
using BufferElement = std::function<Bits(std::size_t parameter, std::uint64_t element)>;

/// The values of names in conditions.
NumberOf numbers_of(const Launch&, const std::vector<Bits>& scalars, const BufferElement&);

}  // namespace ptxmc::kernel
