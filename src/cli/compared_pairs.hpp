#pragma once

#include <string>
#include <vector>

namespace ptxmc {

/// The files of a comparison.
struct ComparedPair {
  std::string source, target;
  std::string mapping = {};  ///< that makes the target of the source: a file or a name; empty: a file has it
};

/// The pairs of two files, or of one or two folders. In folders the source of `X.target.litmus`,
/// `X.01.target.litmus` or `X.sm_80.toml` is `X.source.litmus`, with the longest such X. Sorted by target.
/// Throws InputError for a target without a source, and if there is no pair.
std::vector<ComparedPair> compared_pairs(const std::vector<std::string>& paths);

/// The tests of C++ in files and folders, each with what a mapping makes of it. In folders, other tests are
/// left out. Throws InputError if there is none.
std::vector<ComparedPair> mapped_pairs(const std::vector<std::string>& paths, const std::string& mapping);

}  // namespace ptxmc
