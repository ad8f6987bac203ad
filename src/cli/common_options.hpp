#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/library/public.hpp"
#include "src/litmus/resolved_test.hpp"

namespace CLI {
class App;
}

namespace ptxmc {

class Budget;

/// The flags that every verb has.
struct CommonOptions {
  std::vector<std::string> models;  ///< names or files; empty: the default model of the language
  std::string cpp_standard = "c++20";
  std::string cpp_volatile = "relaxed";  ///< what volatile accesses of C++ are: relaxed, plain
  std::string engine = "auto";
  unsigned bound = v1::Options{}.bound;
  double timeout_seconds = 0;  ///< for each input; the initial value is the default of the verb
  std::optional<std::uint64_t> memory_megabytes;  ///< of the process; 0: no limit
  std::size_t max_events = 0;                     ///< 0: as many as memory has room for
  unsigned jobs = 0;                              ///< 0: one for each processor
  bool json = false;
  std::filesystem::path witness;
  bool quiet = false;
  std::string color = "auto";
};

/// Declares the flags; the values are stored in `options`, which must live until the program is run.
void add_common_options(CLI::App&, CommonOptions& options);

/// Declares those of them that say how results are printed: `--json`, `--quiet`, `--color`.
void add_output_options(CLI::App&, CommonOptions& options);

/// Declares `--std`, for verbs that read C++.
void add_standard_option(CLI::App&, CommonOptions& options);

/// Declares `--volatile`.
void add_volatile_option(CLI::App&, CommonOptions& options);

/// The models of `--model`, or the default one for tests of the language: the newest embedded model of PTX,
/// or that of C++ by `--std`. Throws v1::Error and OutOfTime.
std::vector<v1::Model> library_models(const CommonOptions&, Language = Language::ptx);

/// Whether output has colours: `--color`, or else whether standard output is a terminal.
bool use_color(const CommonOptions&);

/// The number of threads to use.
unsigned job_count(const CommonOptions&);

/// The budget that begins now: `--timeout` and `--memory`.
Budget budget_of(const CommonOptions&);

/// Sets the options for a question to the library: the flags but `--model`, the rest of the budget, and the
/// flag that Ctrl-C sets.
void set_library_options(const CommonOptions&, const Budget&, v1::Options&);

}  // namespace ptxmc
