#include "src/cli/launch_judgement.hpp"

namespace ptxmc {

ExitStatus exit_status_of(const kernel::CheckedLaunch& checked, const std::vector<LaunchProperty>& asked) {
  const bool is_void = checked.unknown() == mixed_size_race_reason && !checked.violated().empty();
  const bool is_known = checked.unknown().empty() || is_void;
  if (checked.launch.expected.empty()) {
    if (!checked.violated().empty()) return ExitStatus::violation;
    return is_known ? ExitStatus::success : ExitStatus::unknown;
  }
  const auto agrees = as_expected(checked, asked);
  if (agrees == false) return ExitStatus::violation;
  return agrees == true && is_known ? ExitStatus::success : ExitStatus::unknown;
}

}  // namespace ptxmc
