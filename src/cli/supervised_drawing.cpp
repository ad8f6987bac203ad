#include "src/cli/supervised_drawing.hpp"

#include <utility>

#include "solver/limits/time_limit.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervision.hpp"

namespace ptxmc {

ExitStatus draw_supervised(const CommonOptions& options, double seconds_spent, std::function<void()> draw) {
  const Budget budget = budget_of(options).begun_before(seconds_spent, least_seconds_for_drawing);
  try {
    run_supervised(budget, std::move(draw));
    return ExitStatus::success;
  } catch (const OutOfTime& out) {
    print_error("{}: the drawing is not finished: {}\n", options.witness.string(), out.what());
    return ExitStatus::unknown;
  }
}

}  // namespace ptxmc
