#pragma once

#include <filesystem>

#include "src/cli/litmus_result.hpp"

namespace ptxmc {

/// Writes the program of CUDA for a test (src/cuda/cuda_program.hpp) to FOLDER/NAME.cu, and makes the folder.
/// A test without such a program is reported on standard error and written by no file. Throws InputError if
/// the file cannot be written.
ExitStatus write_cuda(const LitmusResult&, const std::filesystem::path& folder);

}  // namespace ptxmc
