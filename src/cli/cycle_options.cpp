#include "src/cli/cycle_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "src/cli/number_options.hpp"

namespace ptxmc {

void add_cycle_options(CLI::App& command, v1::CycleOptions& options) {
  command
      .add_option("--edges", options.edges,
                  "the edges of cycles: Rfe, Fre, Coe, PodWR, Pos**, DpAddrdR, Rmw, fence.sc.gpu.dWR, …")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option(
          "--accesses", options.accesses,
          "how accesses are spelt: weak, relaxed.gpu, release.cta, acquire.sys, volatile, surface, b8, …; "
          "words with blanks between them are of one access")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option(
          "--scopes", options.scopes,
          "where threads are: cta (in one CTA), cluster, gpu, sys (on different GPUs), all (every way)")
      ->type_name("LIST")
      ->capture_default_str();
  add_whole_number(
      command, "--threads", {1, 8},
      [&options](std::uint64_t n) { options.threads = static_cast<unsigned>(n); },
      fmt::format("at most so many threads (default {})", options.threads));
}

}  // namespace ptxmc
