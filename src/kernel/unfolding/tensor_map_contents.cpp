#include "src/kernel/unfolding/tensor_map_contents.hpp"

#include <algorithm>

#include "src/kernel/machine/run.hpp"

namespace ptxmc::kernel {

namespace {

constexpr unsigned executions = 4;
constexpr std::uint64_t most_steps = 200'000;  // of the threads in each of them
constexpr std::size_t most_mixed = 16;

/// The tensor maps that memory holds at the start.
void add_initial(std::vector<TensorMap>& maps, const MemoryPiece& piece) {
  constexpr std::uint64_t alignment = 64;  // bytes: CUtensorMap
  for (std::uint64_t at = 0; at + tensor_map_bytes <= piece.content.size(); at += alignment) {
    std::array<Bits, tensor_map_bytes / 8> words;
    bool is_known = true;
    for (std::uint64_t i = 0; i < tensor_map_bytes && is_known; ++i) {
      const Bits& byte = piece.content[at + i];
      is_known = byte.width() != 0 && byte.is_constant();
      if (is_known) words[i / 8] = i % 8 == 0 ? byte : concat(byte, words[i / 8]);
    }
    if (is_known && TensorMap(words).is_valid().is_true()) add_tensor_map(maps, TensorMap(words));
  }
}

}  // namespace

std::span<const TensorMap> TensorMapContents::all() {
  if (found_) return *found_;
  std::vector<TensorMap> maps = tensor_maps_of_runs(launch_, module_, executions, most_steps);
  for (const MemoryPiece& piece : memory_.pieces()) add_initial(maps, piece);
  return found_.emplace(with_mixed_words(maps, most_mixed));
}

std::vector<TensorMap> with_mixed_words(const std::vector<TensorMap>& maps, std::size_t most) {
  constexpr std::size_t words = tensor_map_bytes / 8;
  std::vector<std::array<Bits, words>> mixed(1);
  for (std::size_t word = 0; word < words && mixed.size() <= most; ++word) {
    std::vector<Bits> values;
    for (const TensorMap& map : maps)
      if (std::ranges::none_of(values,
                               [&](const Bits& value) { return identical(value, map.words()[word]); }))
        values.push_back(map.words()[word]);
    std::vector<std::array<Bits, words>> longer;
    for (const auto& content : mixed)
      for (const Bits& value : values) {
        longer.push_back(content);
        longer.back()[word] = value;
      }
    mixed = std::move(longer);
  }
  if (mixed.size() > most) return maps;
  std::vector<TensorMap> result;
  for (const auto& content : mixed) result.emplace_back(content);
  return result;
}

}  // namespace ptxmc::kernel
