#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ptxmc {

/// One launch in the table.
struct LaunchRow {
  std::string file;
  std::vector<std::string> verdicts;  ///< properties violated, or "safe"; empty: nothing is known
  std::vector<std::string> expected;  ///< empty: the file expects nothing
  std::optional<bool> as_expected;
  bool is_certain = true;  ///< what is expected was not argued to the end
  std::string engine;
  std::optional<std::uint64_t> executions;
  double seconds = 0;
  std::string reason;  ///< why a property is unknown, or an error
  bool failed = false;
};

/// Aligned columns (file, verdict, expected, engine, executions, time, reason), and a line of totals.
std::string launch_table_text(std::span<const LaunchRow>, bool color);

/// The same as a table in Markdown; files are given by their names without folders.
std::string launch_table_markdown(std::span<const LaunchRow>);

}  // namespace ptxmc
