#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "src/cli/common_options.hpp"
#include "src/cli/exit_status.hpp"

namespace ptxmc {

/// The flags of `ptxmc compare --mapping`.
struct MappingOptions {
  std::vector<std::string> mappings;  ///< files, or names of published ones; empty: pairs are compared
  unsigned threads = 2, operations = 2, locations = 2;
  std::vector<std::string> kinds = {"load", "store", "rmw", "cas", "fence"};  ///< of operations
  std::string scope = "device";
  std::filesystem::path out;  ///< a folder for the counterexample; empty: none
};

void add_mapping_options(CLI::App&, MappingOptions&);

/// Searches for the smallest program that the mappings compile wrongly, and prints it. `source` and `target`
/// are the models. Throws InputError and Unsupported.
ExitStatus compare_mapping(const MappingOptions&, const CommonOptions&, const cat::Model& source,
                           const cat::Model& target);

}  // namespace ptxmc
