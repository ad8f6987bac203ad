#pragma once

#include "src/kernel/launch/toml_values.hpp"

namespace ptxmc::kernel {

/// Reads `tensormap = { buffer = "in", element = "f16", dims = [..], … }`, or a list of such tables, with the
/// fields and the limits of cuTensorMapEncodeTiled in the CUDA driver (docs/launch-format.md). The maps lie
/// in memory of `holder_bytes` bytes. Throws InputError.
std::vector<PlacedTensorMap> read_tensor_maps(const TomlValues&, const toml::node&,
                                              std::uint64_t holder_bytes);

}  // namespace ptxmc::kernel
