#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/cat_model.hpp"
#include "solver/engine.hpp"
#include "solver/launch_properties.hpp"
#include "src/kernel/launch.hpp"
#include "src/kernel/module_file.hpp"
#include "src/kernel/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// A launch with what was found about it.
struct CheckedLaunch {
  Launch launch;
  std::unique_ptr<syntax::Module> module;
  std::unique_ptr<LoadedModule> loaded;  ///< events point to its instructions
  std::unique_ptr<TermGraph> graph;
  std::unique_ptr<UnfoldedLaunch> unfolded;  ///< witnesses point into its program, or into that of one of …
  std::vector<std::unique_ptr<UnfoldedLaunch>> unfolded_before;  ///< … in ways that were given up
  LaunchAnswer answer;
  double seconds = 0;  ///< with reading and unfolding
  /// Variables of the module that some execution may read as 0, which neither the module nor the launch says
  /// of them (§ 5.4.4): where the launch is safe, else those that the executions behind its findings read.
  std::vector<std::string> assumed_zero;

  /// The properties that some execution violates.
  std::set<LaunchProperty> violated() const;
  /// Why not everything that was asked for could be decided; empty: it could.
  std::string unknown() const;
};

/// Those that the execution behind one of its findings reads.
std::vector<std::string> assumed_zero(const CheckedLaunch&, const LaunchFinding&);

/// Reads the module, unfolds the launch and decides these properties under a model. Under Engine::smt
/// barriers prove nothing before the solver is asked. Throws InputError and Unsupported; Disagreement under
/// Engine::both.
CheckedLaunch check(const Launch&, const std::vector<LaunchProperty>&, const cat::Model&,
                    const DecideOptions&, Engine = Engine::automatic);

/// The answer where nothing came to be known, for this reason.
CheckedLaunch unknown_launch(const Launch&, const std::vector<LaunchProperty>&, const std::string& reason,
                             double seconds);

}  // namespace ptxmc::kernel
