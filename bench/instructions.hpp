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

constexpr std::uint64_t multiply_adds_of_product = 16 * 8 * 16;

/// Writes the launch of a kernel of one warp that executes this many products of matrices (mma.m16n8k16 of
/// .f16) to a folder.
std::filesystem::path write_products(const std::filesystem::path& folder, std::uint64_t count);

/// Lines for `ptxmc eval`: a dozen instructions in turn, with different inputs.
std::string vector_lines(std::uint64_t count);

}  // namespace ptxmc::bench
