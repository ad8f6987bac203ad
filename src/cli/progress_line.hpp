#pragma once

#include <string>

#include "solver/decide.hpp"
#include "src/cli/common_options.hpp"

namespace ptxmc {

/// Somebody looks on: standard error is a terminal, and nothing else was asked for.
bool shows_progress(const CommonOptions&);

/// How far the explorer is, on standard error: on a terminal in place of what stood there before.
void show_exploration(const ExplorationProgress&);

/// How many of many inputs are done, in one line of a terminal that is gone when results are printed.
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
