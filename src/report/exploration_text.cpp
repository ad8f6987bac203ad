#include "src/report/exploration_text.hpp"

#include <fmt/format.h>

namespace ptxmc {

std::string exploration_text(const ExplorationProgress& progress) {
  if (progress.estimate == 0) return "the solver searches";
  if (progress.executions == 0) return fmt::format("about {:.3g} executions", progress.estimate);
  const auto found = static_cast<double>(progress.executions);
  const double rate = found / progress.seconds;
  std::string text =
      fmt::format("{} of about {:.3g} executions, {:.0f}/s", progress.executions, progress.estimate, rate);
  if (progress.estimate > found) text += fmt::format(", {:.0f} s left", (progress.estimate - found) / rate);
  return text;
}

}  // namespace ptxmc
