#pragma once

#include "src/library/public.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

/// Declares the flags that say which cycles tests are made of: `--edges`, `--accesses`, `--scopes` and
/// `--threads`. The values that `options` has are the defaults.
void add_cycle_options(CLI::App&, v1::CycleOptions& options);

}  // namespace ptxmc
