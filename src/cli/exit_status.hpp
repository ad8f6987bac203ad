#pragma once

namespace ptxmc {

/// The exit status of the program.
enum class ExitStatus : int {
  success = 0,         ///< every answer is positive, or as its file expects
  violation = 1,       ///< some answer is not
  wrong_input = 2,     ///< some input or the command line is wrong
  unknown = 3,         ///< some answer is unknown, or some input is unsupported
  internal_error = 70  ///< a mistake in this program (EX_SOFTWARE of sysexits.h)
};

/// The more severe of two: wrong input, then a violation, then unknown.
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
