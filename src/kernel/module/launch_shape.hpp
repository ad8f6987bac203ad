#pragma once

#include "src/kernel/module/launch.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// The number of CTAs of a cluster in each dimension, given by the launch or by the kernel's
/// `.reqnctapercluster` (PTX ISA 8.7 § 11.7), otherwise 1. Throws InputError if the directives of the kernel
/// (§ 11.4, § 11.7) do not allow the launch, or if the grid is not a whole number of clusters.
Dimensions cluster_shape(const GridSize&, const syntax::Function& entry);

/// The values of a directive of a kernel such as `.maxntid`, with missing extents as 1; empty if the kernel
/// does not have it.
std::optional<Dimensions> extents_of(const syntax::Function& entry, std::string_view directive);

/// The block that the kernel requires with `.reqntid`, and the most threads that it allows with `.maxntid`
/// (§ 11.4).
std::optional<Dimensions> required_block(const syntax::Function& entry);
std::optional<std::uint64_t> most_threads_of_block(const syntax::Function& entry);

/// Whether the launch or the kernel requests clusters explicitly: `%is_explicit_cluster` (§ 10.11).
bool has_explicit_clusters(const GridSize&, const syntax::Function& entry);

/// The coordinates of the n-th position in a box, counted along x first.
constexpr Dimensions position_in(std::uint64_t n, const Dimensions& size) {
  return {static_cast<std::uint32_t>(n % size[0]), static_cast<std::uint32_t>(n / size[0] % size[1]),
          static_cast<std::uint32_t>(n / size[0] / size[1])};
}

}  // namespace ptxmc::kernel
