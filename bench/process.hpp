#pragma once

#include <string>
#include <vector>

namespace ptxmc::bench {

/// The result of running a program, with its time and memory.
struct Run {
  double seconds = 0;         ///< from its start to its end
  double peak_megabytes = 0;  ///< its largest resident set
  int status = 0;             ///< of exit; 128 + the signal
  std::string output;         ///< standard output; standard error is dropped
};

/// Runs a program by its path with arguments and waits for it.
/// Throws std::system_error when it cannot be started.
Run run(const std::vector<std::string>& command);

/// The run of the median time among `times` runs.
Run median_run(const std::vector<std::string>& command, unsigned times);

}  // namespace ptxmc::bench
