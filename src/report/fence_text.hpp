#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "src/compiler/fence_report.hpp"

namespace ptxmc {

/// The findings of a report in the format of compilers, a line each:
/// `mp.litmus:5:17: wasted: fence.sc.gpu: fence.release.gpu is enough [-12]`. Of a program that loses the
/// property the repairs, at most `most_repairs` of them, cheapest first. The last line sums up. `subject` is
/// the test or the launch, and `file` has the lines: the test or the module.
std::string fences_text(const FenceReport&, std::string_view subject, std::string_view file,
                        std::size_t most_repairs);

/// The report as one JSON object on one line, without the newline. The keys and their order are stable across
/// versions (docs/fences.md).
std::string fences_json(const FenceReport&, std::string_view file, const std::string& model);

/// A row of a table: what `ptxmc fences` says of a test or a launch.
struct FenceRow {
  std::string subject;
  FenceReport report;
  std::string failure;  ///< why there is no report: `unsupported: …`
};

/// The rows as a table in Markdown, with the numbers of annotations that are needed, wasted and either, of
/// the minimal assignments, and the cost of the cheapest one.
std::string fence_table_markdown(std::span<const FenceRow>);

}  // namespace ptxmc
