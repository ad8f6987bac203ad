#pragma once

#include <functional>
#include <string>

#include "src/cli/common_options.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// Whether to show progress: standard error is a terminal, and no flag asks for other output.
bool shows_progress(const CommonOptions&);

/// A callback for the library that prints the progress of the explorer on standard error, about once a
/// second; on a terminal each line replaces the previous one.
std::function<bool(const v1::Progress&)> shown_exploration();

/// A line on a terminal that shows how many inputs are done. It is erased before results are printed.
class ProgressLine {
 public:
  ProgressLine(std::size_t inputs, const CommonOptions& options)
      : inputs_(inputs), is_shown_(shows_progress(options)) {}
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(std::size_t done, const std::string& current) const;
  void clear() const;

 private:
  const std::size_t inputs_;
  const bool is_shown_;
};

}  // namespace ptxmc
