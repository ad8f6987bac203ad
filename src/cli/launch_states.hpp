#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/cli/common_options.hpp"
#include "src/cli/exit_status.hpp"
#include "src/kernel/unfolding/final_states.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// A launch whose final states are asked for: `ptxmc check --states`, `--exists`.
struct AskedStates {
  CommonOptions common;
  v1::Model model;
  v1::Launch launch;
  std::string name;
  double seconds_read = 0;  ///< spent on the launch file
  kernel::StatesQuestion question;
};

/// Finds the final states within the limits, prints them, and draws the execution behind one: the first that
/// satisfies the condition. The status is a violation if no state satisfies the condition.
ExitStatus report_states(const std::shared_ptr<const AskedStates>&);

}  // namespace ptxmc
