#include "src/library/launch_drawing.hpp"

#include <fmt/format.h>

#include "src/report/excerpt.hpp"

namespace ptxmc {

SourceOfLine source_of_line(std::shared_ptr<const kernel::SourceLines> sources) {
  return [sources = std::move(sources)](std::uint32_t line) {
    const auto source = sources->of(line);
    return source ? fmt::format("{}:{}", source->file, source->line) : "";
  };
}

DrawnExecution drawn_finding(const LaunchFinding& finding, const FindingText& text, const std::string& title,
                             const std::shared_ptr<const kernel::SourceLines>& sources) {
  std::vector<EventId> important = important_events(finding);
  const bool is_race = finding.property == LaunchProperty::race && important.size() == 2;
  DrawnExecution drawn{excerpt_of(finding.witness, important), {}};
  drawn.drawing.title = title;
  drawn.drawing.footer = text.message;
  drawn.drawing.source_of_line = source_of_line(sources);
  if (is_race) drawn.drawing.highlighted.push_back({"race", important[0], important[1], false});
  return drawn;
}

}  // namespace ptxmc
