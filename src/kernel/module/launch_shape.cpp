#include "src/kernel/module/launch_shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "semantics/language/diagnostic.hpp"

namespace ptxmc::kernel {

namespace {

std::string text_of(const Dimensions& d) { return fmt::format("[{}]", fmt::join(d, ", ")); }

[[noreturn]] void fail(const LaunchPlace& place, const std::string& message) {
  throw InputError(place.file, place.where, message);
}

void check_block(const GridSize& size, const syntax::Function& entry) {
  if (size.open_block != OpenDimensions{}) return;
  if (const auto required = extents_of(entry, ".reqntid"); required && *required != size.block)
    fail(size.block_where, fmt::format("found block = {}, expected {}, which '{}' requires with .reqntid",
                                       text_of(size.block), text_of(*required), entry.name.text));
  if (const auto most = extents_of(entry, ".maxntid"); most && volume(size.block) > volume(*most))
    fail(size.block_where,
         fmt::format("found a block of {} threads, expected at most {}, which '{}' says with .maxntid",
                     volume(size.block), volume(*most), entry.name.text));
}

}  // namespace

std::optional<Dimensions> extents_of(const syntax::Function& entry, std::string_view word) {
  for (const syntax::FunctionDirective& directive : entry.directives) {
    if (directive.text != word) continue;
    Dimensions result = {1, 1, 1};
    for (std::size_t i = 0; i < directive.values.size() && i < 3; ++i)
      result[i] = static_cast<std::uint32_t>(directive.values[i]);
    return result;
  }
  return std::nullopt;
}

std::optional<Dimensions> required_block(const syntax::Function& entry) {
  return extents_of(entry, ".reqntid");
}

std::optional<std::uint64_t> most_threads_of_block(const syntax::Function& entry) {
  const auto most = extents_of(entry, ".maxntid");
  return most ? std::optional(volume(*most)) : std::nullopt;
}

bool has_explicit_clusters(const GridSize& size, const syntax::Function& entry) {
  return size.cluster.has_value() || entry.has(".reqnctapercluster");
}

Dimensions cluster_shape(const GridSize& size, const syntax::Function& entry) {
  check_block(size, entry);
  const auto required = extents_of(entry, ".reqnctapercluster");
  if (required && size.cluster && *required != *size.cluster)
    fail(size.cluster_where,
         fmt::format("found cluster = {}, expected {}, which '{}' requires with .reqnctapercluster",
                     text_of(*size.cluster), text_of(*required), entry.name.text));
  if (entry.has(".explicitcluster") && !has_explicit_clusters(size, entry))
    fail(size.grid_where,
         fmt::format("found no 'cluster', expected it: '{}' is .explicitcluster", entry.name.text));
  const Dimensions cluster = size.cluster.value_or(required.value_or(Dimensions{1, 1, 1}));
  if (const auto most = extents_of(entry, ".maxclusterrank"); most && volume(cluster) > (*most)[0])
    fail(size.cluster ? size.cluster_where : size.grid_where,
         fmt::format("found a cluster of {} CTAs, expected at most {}, which '{}' says with .maxclusterrank",
                     volume(cluster), (*most)[0], entry.name.text));
  for (std::size_t i = 0; i < 3; ++i)
    if (size.grid[i] % cluster[i] != 0)
      fail(size.grid_where, fmt::format("found grid = {}, expected a whole number of clusters of {}",
                                        text_of(size.grid), text_of(cluster)));
  return cluster;
}

}  // namespace ptxmc::kernel
