#include "src/cli/launch_states.hpp"

#include "solver/limits/time_limit.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/failure.hpp"
#include "src/cli/output.hpp"
#include "src/cli/supervised_drawing.hpp"
#include "src/cli/supervision.hpp"
#include "src/library/handles.hpp"
#include "src/library/launch_drawing.hpp"
#include "src/report/drawing.hpp"
#include "src/report/json.hpp"
#include "src/report/launch_states.hpp"

namespace ptxmc {

namespace {

using FoundStates = std::shared_ptr<const kernel::LaunchStates>;

FoundStates find(const std::shared_ptr<const AskedStates>& asked) {
  const Budget budget = budget_of(asked->common).begun_before(asked->seconds_read);
  try {
    return supervised(budget, [asked, budget] {
      v1::Options options;
      set_library_options(asked->common, budget, options);
      options.model = asked->model;
      const v1::StatesAnswer answer =
          v1::find_states(asked->launch, {asked->question.shown, asked->question.exists}, options);
      return std::make_shared<const kernel::LaunchStates>(std::move(answer.data->found));
    });
  } catch (const OutOfTime& out) {
    auto none = std::make_shared<kernel::LaunchStates>();
    none->launch = *asked->launch.data();
    none->exists = asked->question.exists;
    none->answer.reason = out.what();
    none->seconds = budget.seconds_spent();
    return none;
  }
}

/// The execution to draw; null if there is none.
const Execution* witness_of(const kernel::LaunchStates& found) {
  if (found.answer.witness) return &*found.answer.witness;
  const bool is_any_fine = found.exists.empty() && !found.answer.states.empty();
  return is_any_fine ? &found.answer.states.front().witness : nullptr;
}

ExitStatus draw(const FoundStates& found, const AskedStates& asked) {
  const std::filesystem::path path = asked.common.witness;
  if (witness_of(*found) == nullptr) {
    print_error("{}: no execution to draw: {} has no such final state\n", path.string(), asked.name);
    return ExitStatus::success;
  }
  return draw_supervised(asked.common, found->seconds, [found, path, name = asked.name] {
    DrawingOptions drawing;
    drawing.title = name;
    drawing.footer = found->exists;
    drawing.source_of_line = source_of_line(std::make_shared<const kernel::SourceLines>(*found->module));
    write_witness(*witness_of(*found), path, drawing);
  });
}

ExitStatus status_of(const kernel::LaunchStates& found) {
  if (found.exists.empty()) return found.answer.states_complete ? ExitStatus::success : ExitStatus::unknown;
  if (!found.answer.holds) return ExitStatus::unknown;
  return *found.answer.holds ? ExitStatus::success : ExitStatus::violation;
}

}  // namespace

ExitStatus report_states(const std::shared_ptr<const AskedStates>& asked) {
  const CommonOptions& options = asked->common;
  try {
    const FoundStates found = find(asked);
    if (options.json && !options.quiet)
      print_output("{}\n", launch_states_json(*found, asked->model.name()));
    else if (!options.quiet)
      print_output("{}", launch_states_text(*found));
    flush_output();
    const ExitStatus status = status_of(*found);
    return options.witness.empty() ? status : graver(status, draw(found, *asked));
  } catch (...) {
    const Failure failure = current_failure(asked->launch.module().string());
    report_failure(failure, options.json && !options.quiet, asked->name, asked->model.name());
    return failure.status;
  }
}

}  // namespace ptxmc
