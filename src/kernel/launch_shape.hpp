#pragma once

#include "src/kernel/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// How many CTAs a cluster of this launch has in each dimension: as the launch says, or the kernel's
/// `.reqnctapercluster` (PTX ISA 8.7 § 11.7); 1 where none does. Throws InputError for a launch that the
/// directives of the kernel (§ 11.4, § 11.7) do not allow, or whose grid is no whole number of clusters.
Dimensions cluster_shape(const Launch&, const syntax::Function& entry);

/// Clusters are launched because somebody said so: `%is_explicit_cluster` (§ 10.11).
bool has_explicit_clusters(const Launch&, const syntax::Function& entry);

/// The n-th place of a box, x first.
constexpr Dimensions position_in(std::uint64_t n, const Dimensions& size) {
  return {static_cast<std::uint32_t>(n % size[0]), static_cast<std::uint32_t>(n / size[0] % size[1]),
          static_cast<std::uint32_t>(n / size[0] / size[1])};
}

}  // namespace ptxmc::kernel
