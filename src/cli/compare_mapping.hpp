#pragma once

#include <filesystem>
#include <string>

#include "src/cli/common_options.hpp"
#include "src/cli/exit_status.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// The flags of `ptxmc compare --mapping`.
struct MappingOptions {
  v1::MappingOptions question;  ///< without mappings: pairs are compared
  std::filesystem::path out;    ///< a folder for the counterexample; empty: none
};

/// Writes the tests as `NAME.source.litmus` and `NAME.target.litmus` to a folder, which is made.
void write_pair(const v1::TestPair&, const std::filesystem::path& folder, const std::string& name);

void add_mapping_options(CLI::App&, MappingOptions&);

/// Searches for the smallest program that the mappings compile wrongly, and prints it. `source` and `target`
/// are the models. Throws InputError and Unsupported.
ExitStatus compare_mapping(const MappingOptions&, const CommonOptions&, const v1::Model& source,
                           const v1::Model& target);

}  // namespace ptxmc
