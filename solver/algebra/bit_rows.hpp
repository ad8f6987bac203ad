#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace ptxmc {

/// A row is a set of numbers: bit i % 64 of word i / 64.
inline bool contains_bit(const std::uint64_t* row, std::size_t i) {
  return (row[i / 64] >> (i % 64) & 1) != 0;
}
inline void insert_bit(std::uint64_t* row, std::size_t i) { row[i / 64] |= std::uint64_t{1} << (i % 64); }
inline void erase_bit(std::uint64_t* row, std::size_t i) { row[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
inline void insert_bits(std::uint64_t* row, const std::uint64_t* more, std::size_t stride) {
  for (std::size_t w = 0; w < stride; ++w) row[w] |= more[w];
}
inline void erase_bits(std::uint64_t* row, const std::uint64_t* more, std::size_t stride) {
  for (std::size_t w = 0; w < stride; ++w) row[w] &= ~more[w];
}

/// Calls `visit(i)` for every member of a row. It is inline because the explorer spends much of its time in
/// such loops.
template <class Visit>
[[gnu::always_inline]] inline void for_each_member(const std::uint64_t* row, std::size_t stride,
                                                   Visit visit) {
  for (std::size_t w = 0; w < stride; ++w)
    for (std::uint64_t word = row[w]; word != 0; word &= word - 1)
      visit(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace ptxmc
