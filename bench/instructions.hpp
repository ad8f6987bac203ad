#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ptxmc::bench {

/// A kernel of one thread that executes a loop of integer, floating-point and memory instructions.
struct Loop {
  std::filesystem::path launch;
  std::uint64_t instructions = 0;  ///< that a run of it executes
};

/// Writes the kernel and its launch file to a folder.
Loop write_loop(const std::filesystem::path& folder, std::uint64_t iterations);

/// Lines for `ptxmc eval`: a dozen instructions in turn, with different inputs.
std::string vector_lines(std::uint64_t count);

}  // namespace ptxmc::bench
