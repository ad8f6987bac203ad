#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/kernel/unfolding/opened_launch.hpp"
#include "src/kernel/unfolding/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// The reason why the final states of a launch are open if some execution is undefined.
inline constexpr char undefined_execution_reason[] = "some execution is undefined: ptxmc check names the use";

/// What is asked about the final states of a launch.
struct StatesQuestion {
  /// Elements to show: `out[0]`, or `out` for all elements of a buffer or a variable of the module.
  std::vector<std::string> shown;
  /// A condition as in a launch file: does some final state satisfy it? Its elements are shown too. Empty:
  /// none.
  std::string exists;
  /// Threads of a warp that execute different aligned barriers are no reason to leave the states open: the
  /// barriers count as if they were not aligned.
  bool allows_divergence = false;
  /// Asks only whether there is a state in which `shown`, all single elements, have these values.
  std::optional<std::vector<std::int64_t>> values = {};
  /// What names each of `shown`, for errors; empty: the flag `--states`.
  std::vector<LaunchPlace> shown_by = {};
};

/// The final states of a launch: the values of elements of memory in the executions in which every thread
/// ends.
struct LaunchStates : OpenedLaunch {
  std::unique_ptr<UnfoldedLaunch> unfolded;  ///< witnesses point into its program
  std::string exists;                        ///< the condition; empty: none
  /// Without a condition the verdict says whether there is a final state.
  Answer answer;
  double seconds = 0;  ///< including reading and unfolding
};

/// Finds the final states of a launch under a model. Throws InputError for a name that is no element, and
/// Unsupported; Disagreement under Engine::both.
LaunchStates final_states(const Launch&, const StatesQuestion&, const cat::Model&, const DecideOptions&,
                          Engine = Engine::automatic);

}  // namespace ptxmc::kernel
