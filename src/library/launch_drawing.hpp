#pragma once

#include <memory>
#include <string>

#include "src/kernel/module/module_file.hpp"
#include "src/report/launch_findings.hpp"
#include "src/report/picture.hpp"

namespace ptxmc {

/// The source positions of the lines of a module, for its drawings.
SourceOfLine source_of_line(std::shared_ptr<const kernel::SourceLines>);

/// The part of an execution that shows a finding, as it is drawn.
DrawnExecution drawn_finding(const LaunchFinding&, const FindingText&, const std::string& title,
                             const std::shared_ptr<const kernel::SourceLines>&);

}  // namespace ptxmc
