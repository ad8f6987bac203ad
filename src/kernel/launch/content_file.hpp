#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "src/kernel/module/launch.hpp"

namespace ptxmc::kernel {

/// Whether a string in a launch file names a file with the content of a buffer: `*.bin` or `*.npy`.
bool is_content_file(std::string_view name);

/// The bits of each element of a buffer, from a file. A `.bin` file has the bytes as they are in memory. A
/// `.npy` file has an array of NumPy (format versions 1 to 3, NumPy Enhancement Proposal 1) in C order whose
/// numbers have the size and the kind of the elements; untyped elements (`b32`) fit numbers of every kind,
/// and raw numbers (`V2`) elements of every kind. Throws InputError, which names the file, also if there are
/// not `count` elements.
std::vector<std::uint64_t> content_of_file(const std::filesystem::path&, const ElementType&,
                                           std::uint64_t count);

}  // namespace ptxmc::kernel
