#pragma once

#include <functional>
#include <memory>

#include "model/event.hpp"
#include "solver/barrier_phases.hpp"
#include "solver/launch_properties.hpp"
#include "solver/unfold.hpp"
#include "src/kernel/launch.hpp"
#include "src/kernel/loaded_module.hpp"

namespace ptxmc::kernel {

/// Where a thread is in its launch.
struct ThreadPlace {
  Dimensions cta = {}, thread = {};
  std::size_t grid = 0;  ///< of a launch of several kernels
};

/// A variable of the module that holds 0 because neither the module nor the launch says what it holds.
struct ZeroVariable {
  std::string name;
  std::uint64_t location = 0, size = 0;
  Bits is_read = {};  ///< in constant memory: width 1, by some thread; width 0: its reads are events
};

/// A kernel launch as a program and all that its threads may do.
struct UnfoldedLaunch {
  Program program;
  EventStructure structure;             ///< of `program`
  std::vector<ThreadPlace> places;      ///< by thread
  std::vector<WarpExchange> exchanges;  ///< where it depends on what is read which lanes come
  bool are_meetings_chosen = false;     ///< as LaunchQuestion
  Bits assumption;                      ///< `assume`, and what is said of unknowns, width 1
  std::vector<Bits> scalars;            ///< by parameter: a scalar of any value; width 0: it is none
  std::vector<int> buffers;  ///< by parameter: its variable in the program; -1: it has none of its own
  std::vector<std::vector<Bits>> constants;  ///< by parameter: the elements of a variable in constant memory
  std::vector<ZeroVariable> zero_variables;

  UnfoldedLaunch() = default;
  UnfoldedLaunch(const UnfoldedLaunch&) = delete;
  UnfoldedLaunch& operator=(const UnfoldedLaunch&) = delete;
};

/// The value of an element of a variable of the program; width 0: it has none.
using ElementValue = std::function<Bits(int variable, std::size_t element)>;

/// What threads a launch may have to be unfolded.
constexpr std::uint64_t most_unfolded_threads = 4096;

/// Unfolds all threads of a launch. Instructions of its events belong to the module.
/// Throws InputError and Unsupported.
std::unique_ptr<UnfoldedLaunch> unfold_launch(LoadedModule&, const Launch&, TermGraph&, const UnfoldOptions&);

/// What the launch leaves open, in the order in which findings tell it.
Inputs open_inputs(const Launch&, const UnfoldedLaunch&);

/// `[final]` (width 1), given the value of an element of a variable of the program at the end; true when the
/// launch has no such condition. Throws InputError for what is no condition.
Bits final_condition(const Launch&, const UnfoldedLaunch&, const ElementValue& final_value);

}  // namespace ptxmc::kernel
