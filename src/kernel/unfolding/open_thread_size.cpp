#include "src/kernel/unfolding/open_thread_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "src/kernel/launch/launch_sizes.hpp"
#include "src/kernel/module/launch_shape.hpp"

namespace ptxmc::kernel {

namespace {

/// The largest launch of any size. The numbers of its threads fit into an int, also if as many are added.
constexpr std::uint64_t most_threads = std::uint64_t{1} << 30;
constexpr std::uint64_t most_threads_of_cta = 1024;
constexpr Dimensions largest_block = {1024, 1024, 64}, largest_grid = {0x7fffffff, 0xffff, 0xffff};

std::array<Bits, 3> open_size(OpenThread& thread, const Dimensions& size, const OpenDimensions& open,
                              const char* name, TermGraph& graph) {
  std::array<Bits, 3> result;
  for (std::size_t i = 0; i < 3; ++i) {
    result[i] = open[i] ? graph.variable(32, fmt::format("{}.{}", name, "xyz"[i])) : Bits(32, size[i]);
    if (open[i]) thread.open_sizes.push_back(result[i]);
  }
  return result;
}

Bits is_in_limits(const std::array<Bits, 3>& size, const Dimensions& largest) {
  Bits result = Bits::boolean(true);
  for (std::size_t i = 0; i < 3; ++i)
    if (!size[i].is_constant())
      result =
          result & less_unsigned(Bits(32, 0), size[i]) & less_equal_unsigned(size[i], Bits(32, largest[i]));
  return result;
}

Bits is_at_most(const Bits& value, std::uint64_t most) {
  return value.is_constant() ? Bits::boolean(true) : less_equal_unsigned(value, Bits(64, most));
}

/// The product of the extents, 64 bits.
Bits volume_of(const std::array<Bits, 3>& size) {
  return size[0].zero_extend(64) * size[1].zero_extend(64) * size[2].zero_extend(64);
}

/// An unknown coordinate in each dimension in which there is more than one.
std::array<Bits, 3> open_index(OpenThread& thread, const char* name, const std::array<Bits, 3>& size,
                               TermGraph& graph) {
  std::array<Bits, 3> index;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool is_one = size[i].is_constant() && size[i].to_u64() == 1;
    index[i] = is_one ? Bits(32, 0) : graph.variable(32, fmt::format("{}.{}", name, "xyz"[i]));
    thread.is_thread = thread.is_thread & less_unsigned(index[i], size[i]);
  }
  return index;
}

}  // namespace

Bits open_thread_size(OpenThread& thread, const Launch& launch, const syntax::Function& entry,
                      TermGraph& graph) {
  thread.has_open_block = launch.open_block != OpenDimensions{};
  thread.has_open_grid = launch.open_grid != OpenDimensions{};
  thread.ntid = open_size(thread, launch.block, launch.open_block, "block", graph);
  thread.nctaid = open_size(thread, launch.grid, launch.open_grid, "grid", graph);
  const Bits block = volume_of(thread.ntid), grid = volume_of(thread.nctaid);
  thread.threads_in_cta = block;
  thread.all_threads = grid * block;
  thread.threads_of_cta = thread.has_open_block ? most_threads_of_cta : volume(launch.block);
  thread.ctas = thread.has_open_grid ? most_threads : volume(launch.grid);
  thread.most_threads = thread.ctas * thread.threads_of_cta;
  if (thread.has_open_block || thread.has_open_grid)
    thread.most_threads = std::min(thread.most_threads, most_threads);
  Bits result = is_in_limits(thread.ntid, largest_block) & is_in_limits(thread.nctaid, largest_grid) &
                is_at_most(block, most_threads_of_cta) & is_at_most(grid, most_threads) &
                is_at_most(thread.all_threads, most_threads);
  // It follows that the threads in each dimension are not more.
  for (std::size_t i = 0; i < 3; ++i)
    result =
        result & is_at_most(thread.nctaid[i].zero_extend(64) * thread.ntid[i].zero_extend(64), most_threads);
  if (!thread.has_open_block) return result;
  if (const auto most = most_threads_of_block(entry)) result = result & is_at_most(block, *most);
  if (const auto required = required_block(entry))
    for (std::size_t i = 0; i < 3; ++i) result = result & equal(thread.ntid[i], Bits(32, (*required)[i]));
  return result;
}

void place_open_thread(OpenThread& thread, TermGraph& graph) {
  thread.tid = open_index(thread, "%tid", thread.ntid, graph);
  thread.ctaid = open_index(thread, "%ctaid", thread.nctaid, graph);
}

}  // namespace ptxmc::kernel
