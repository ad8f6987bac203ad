#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "solver/launch/launch_properties.hpp"
#include "src/kernel/unfolding/opened_launch.hpp"
#include "src/kernel/unfolding/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// The engine of an answer for which one thread stands for all.
constexpr const char* by_one_thread = "threads";

/// A launch and the answer about it.
struct CheckedLaunch : OpenedLaunch {
  std::unique_ptr<UnfoldedLaunch> unfolded;  ///< witnesses point into its program, or into one of …
  /// … these, from attempts that were abandoned.
  std::vector<std::unique_ptr<UnfoldedLaunch>> unfolded_before;
  /// The instructions with events, if one thread stood for all and the launch is not unfolded.
  std::vector<const Instruction*> executed;
  /// Of a launch of any size: the launches with findings; witnesses point into them.
  std::vector<std::unique_ptr<CheckedLaunch>> at_sizes;
  LaunchAnswer answer;
  double seconds = 0;  ///< including reading and unfolding
  /// Variables of the module without a given content that are read as 0 (§ 5.4.4): by some execution if the
  /// launch is safe, otherwise by the executions behind its findings.
  std::vector<std::string> assumed_zero;

  /// The properties that some execution violates.
  std::set<LaunchProperty> violated() const;
  /// Why some property could not be decided; empty if all were decided.
  std::string unknown() const;
};

/// The variables that the execution behind one finding reads as 0 by default.
std::vector<std::string> assumed_zero(const CheckedLaunch&, const LaunchFinding&);

/// Reads the module, unfolds the launch and decides these properties under a model. Under Engine::smt no
/// property is proved from barriers alone. Of a launch with open sizes the properties are decided for all of
/// them, with Engine::automatic. Throws InputError and Unsupported; Disagreement under Engine::both.
CheckedLaunch check(const Launch&, const std::vector<LaunchProperty>&, const cat::Model&,
                    const DecideOptions&, Engine = Engine::automatic);

/// The same for a launch whose sizes are known. Throws Unsupported for others.
CheckedLaunch check_known_size(const Launch&, const std::vector<LaunchProperty>&, const cat::Model&,
                               const DecideOptions&, Engine);

/// An answer in which every property is unknown for this reason.
CheckedLaunch unknown_launch(const Launch&, const std::vector<LaunchProperty>&, const std::string& reason,
                             double seconds);

}  // namespace ptxmc::kernel
