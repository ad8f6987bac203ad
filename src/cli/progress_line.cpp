#include "src/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "src/cli/output.hpp"
#include "src/report/exploration_text.hpp"

namespace ptxmc {

namespace {

constexpr const char* clear_line = "\r\x1b[K";

void show(const ExplorationProgress& progress) {
  const std::string text = exploration_text(progress);
  if (isatty(STDERR_FILENO))
    write_error(clear_line + text);
  else
    print_error("{}\n", text);
}

}  // namespace

bool shows_progress(const CommonOptions& options) {
  return !options.quiet && !options.json && isatty(STDERR_FILENO);
}

std::function<bool(const v1::Progress&)> shown_exploration() {
  using Stage = v1::Progress::Stage;
  return [stage = Stage::preparing, shown = 0.0](const v1::Progress& progress) mutable {
    const bool is_due = progress.stage != stage || progress.seconds > shown + 1;
    if (progress.stage == Stage::preparing || !is_due) return true;
    stage = progress.stage;
    shown = progress.seconds;
    show({progress.estimated_executions, progress.executions, progress.seconds});
    return true;
  };
}

void ProgressLine::show(std::size_t done, const std::string& current) const {
  if (is_shown_ && inputs_ > 1)
    write_error(fmt::format("{}[{}/{}] {:.60}", clear_line, done, inputs_, visible_line(current)));
}

void ProgressLine::clear() const {
  if (is_shown_) write_error(clear_line);
}

}  // namespace ptxmc
