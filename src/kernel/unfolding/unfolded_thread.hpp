#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/launch/launch_question.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/threads/open_thread.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/module/loaded_module.hpp"

namespace ptxmc::kernel {

/// The open thread of a launch.
struct UnfoldedThread {
  OpenThread thread;
  /// Variables of the module that hold 0 by default and that the thread may read.
  std::vector<std::string> assumed_zero;
};

/// Unfolds one thread that stands for all threads of a launch of one kernel. Throws InputError, and
/// Unsupported also for what one thread cannot stand for: docs/soundness.md.
std::unique_ptr<UnfoldedThread> unfold_open_thread(LoadedModule&, const Launch&, TermGraph&,
                                                   const DecideOptions&);

}  // namespace ptxmc::kernel
