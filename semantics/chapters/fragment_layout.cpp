#include "semantics/chapters/fragment_layout.hpp"

#include <bit>
#include <string>

#include "semantics/values/check.hpp"

namespace ptxmc {

namespace {

/// A bit of a coordinate, written as `r0`, `c3` or `m1`.
struct CoordinateBit {
  char axis;
  unsigned bit;
};

std::vector<CoordinateBit> bits_named(std::string_view text) {
  std::vector<CoordinateBit> bits;
  for (std::size_t at = 0; at + 1 < text.size(); at += 3)
    bits.push_back({text[at], static_cast<unsigned>(text[at + 1] - '0')});
  return bits;
}

FragmentElement sum_of(const FragmentElement& a, const FragmentElement& b) {
  return {a.row | b.row, a.column | b.column, a.copy | b.copy};
}

FragmentElement element_of(CoordinateBit bit) {
  const unsigned value = 1u << bit.bit;
  return {bit.axis == 'r' ? value : 0, bit.axis == 'c' ? value : 0, bit.axis == 'm' ? value : 0};
}

/// Doubles a table by its next index bit.
template <class Value, class Sum>
void add_index_bit(std::vector<Value>& table, const Value& value, Sum sum) {
  for (std::size_t i = 0, size = table.size(); i < size; ++i) table.push_back(sum(table[i], value));
}

}  // namespace

FragmentLayout::FragmentLayout(std::string_view lane, std::string_view item) {
  const std::vector<CoordinateBit> of_lane = bits_named(lane), of_item = bits_named(item);
  check(of_lane.size() == std::bit_width(lanes) - 1u, "a lane has five bits");
  for (const CoordinateBit& bit : of_lane) add_index_bit(of_lane_, element_of(bit), sum_of);
  for (const CoordinateBit& bit : of_item) add_index_bit(of_item_, element_of(bit), sum_of);
  std::vector<CoordinateBit> all = of_lane;
  all.insert(all.end(), of_item.begin(), of_item.end());
  const auto add_axis = [&](char axis, std::vector<std::uint32_t>& table) {
    for (unsigned bit = 0;; ++bit) {
      std::uint32_t place = 0;
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].axis == axis && all[i].bit == bit) place = std::uint32_t{1} << i;
      if (place == 0) return;
      add_index_bit(table, place, [](std::uint32_t a, std::uint32_t b) { return a | b; });
    }
  };
  add_axis('r', of_row_);
  add_axis('c', of_column_);
  add_axis('m', of_copy_);
}

FragmentElement FragmentLayout::element_at(unsigned lane, unsigned item) const {
  return sum_of(of_lane_[lane], of_item_[item]);
}

FragmentLayout quad_fragment(unsigned rows, unsigned columns, unsigned adjacent) {
  const auto bits_of = [](unsigned count) { return static_cast<unsigned>(std::bit_width(count)) - 1; };
  const auto name = [](char axis, unsigned bit) {
    return std::string{axis, static_cast<char>('0' + bit), ' '};
  };
  const unsigned low = bits_of(adjacent);
  const std::string lane = name('c', low) + name('c', low + 1) + "r0 r1 r2";
  std::string item;
  for (unsigned bit = 0; bit < low; ++bit) item += name('c', bit);
  for (unsigned bit = 3; bit < bits_of(rows); ++bit) item += name('r', bit);
  for (unsigned bit = low + 2; bit < bits_of(columns); ++bit) item += name('c', bit);
  return {lane, item};
}

}  // namespace ptxmc
