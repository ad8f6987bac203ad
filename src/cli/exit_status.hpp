#pragma once

namespace ptxmc {

/// What the program returns to the shell.
enum class ExitStatus : int {
  success = 0,         ///< all hold, or are as their files expect
  violation = 1,       ///< some do not
  wrong_input = 2,     ///< some input, or the command line, is wrong
  unknown = 3,         ///< some are unknown or unsupported
  internal_error = 70  ///< a mistake of ours (EX_SOFTWARE of sysexits.h)
};

/// The graver of two: wrong input, then a violation, then unknown.
constexpr ExitStatus graver(ExitStatus a, ExitStatus b) {
  constexpr auto gravity = [](ExitStatus status) {
    switch (status) {
      case ExitStatus::success:
        return 0;
      case ExitStatus::unknown:
        return 1;
      case ExitStatus::violation:
        return 2;
      case ExitStatus::wrong_input:
        return 3;
      case ExitStatus::internal_error:
        return 4;
    }
    return 4;
  };
  return gravity(a) >= gravity(b) ? a : b;
}

}  // namespace ptxmc
