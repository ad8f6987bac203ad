#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/launch/launch_question.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"
#include "src/kernel/unfolding/unfolded_launch.hpp"

namespace ptxmc::kernel {

/// What is known about a launch if one thread stands for all.
struct ByThreads {
  std::set<LaunchProperty> excluded;  ///< no execution violates them
  std::vector<LaunchFinding> findings;
  std::vector<std::unique_ptr<UnfoldedLaunch>> parts;  ///< the witnesses point into their programs
  /// Variables of the module that hold 0 by default and that some thread may read.
  std::vector<std::string> assumed_zero;
  std::vector<const Instruction*> executed;  ///< the instructions with events

  /// Whether the property is excluded, or violated.
  bool decides(LaunchProperty) const;
};

/// Decides properties of a launch, whatever its number of threads, by questions about one thread and pairs of
/// threads: docs/soundness.md, One thread for all. It takes a part of the time limit. The findings may refer
/// to terms of the graph. Throws InputError.
ByThreads check_by_threads(LoadedModule&, const Launch&, const std::vector<LaunchProperty>&,
                           const cat::Model&, const DecideOptions&, TermGraph&);

}  // namespace ptxmc::kernel
