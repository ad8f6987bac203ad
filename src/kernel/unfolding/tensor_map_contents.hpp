#pragma once

#include <optional>
#include <span>
#include <vector>

#include "semantics/language/tensor_map.hpp"
#include "src/kernel/unfolding/launch_memory.hpp"

namespace ptxmc::kernel {

/// Contents that the tensor maps of a launch may have if the kernel writes them: those that asynchronous
/// operations read in some executions of the machine, and those in memory at the start. Other executions may
/// have further contents, so that what uses these must not rely on it that they are all.
class TensorMapContents {
 public:
  /// The arguments must outlive it.
  TensorMapContents(const syntax::Module& module, const Launch& launch, const LaunchMemory& memory)
      : module_(module), launch_(launch), memory_(memory) {}

  /// They are found when they are first asked for.
  std::span<const TensorMap> all();

 private:
  const syntax::Module& module_;
  const Launch& launch_;
  const LaunchMemory& memory_;
  std::optional<std::vector<TensorMap>> found_;
};

/// The tensor maps that combine the words of these in every way, if there are not more than `most` of them;
/// otherwise the maps themselves. A read that races with writes of a map may see such a combination.
std::vector<TensorMap> with_mixed_words(const std::vector<TensorMap>&, std::size_t most);

}  // namespace ptxmc::kernel
