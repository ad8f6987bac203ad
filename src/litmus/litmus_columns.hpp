#pragma once

#include <string>
#include <vector>

namespace ptxmc {

/// A thread of a litmus test that is written by a program.
struct LitmusColumn {
  std::string placement;  ///< "cta 0,gpu 0"
  std::vector<std::string> code;
};

/// The threads P0, P1, … side by side, as a litmus test has them.
std::string litmus_columns(const std::vector<LitmusColumn>& threads);

}  // namespace ptxmc
