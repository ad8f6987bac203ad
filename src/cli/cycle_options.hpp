#pragma once

#include <string>
#include <vector>

#include "src/generator/all_cycles.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// The flags that say which cycles tests are made of: lists with commas.
struct CycleOptions {
  std::string edges;     ///< names; `*` stands for R and W
  std::string accesses;  ///< spellings, each one or more words
  std::string scopes;    ///< of placements
  unsigned threads = 0;
};

/// Declares `--edges`, `--accesses`, `--scopes` and `--threads`; the values that `options` has are the
/// defaults.
void add_cycle_options(CLI::App&, CycleOptions& options);

/// The limits that the flags give. Throws InputError.
generator::CycleLimits limits_of(const CycleOptions&);

}  // namespace ptxmc
