#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ptxmc {

/// The place of an element in a fragment: the lane that holds it, and its number among the items of the lane.
/// Items fill the registers of a lane from the lowest bits of the first register on.
struct FragmentPlace {
  unsigned lane = 0, item = 0;
  bool operator==(const FragmentPlace&) const = default;
};

/// An element of a matrix. `copy` distinguishes matrices that one fragment holds.
struct FragmentElement {
  unsigned row = 0, column = 0, copy = 0;
  bool operator==(const FragmentElement&) const = default;
};

/// Which element of a matrix is at which place of a fragment: PTX ISA 8.7 § 9.7.14.5.
///
/// All layouts of matrices among the lanes of a warp have one form: each bit of a place is a bit of the row,
/// of the column or of the copy. A layout is written as the bits of the lane and the bits of the item, lowest
/// first. For example, lane "c1 c2 r0 r1 r2" and item "c0 r3" are the fragment of a 16 × 8 accumulator:
/// its element in row r and column c is item (c & 1) + 2 · (r >> 3) of lane (c >> 1) + 4 · (r & 7).
/// `m0`, `m1` are bits of the copy.
class FragmentLayout {
 public:
  FragmentLayout(std::string_view lane, std::string_view item);

  FragmentPlace place_of(unsigned row, unsigned column, unsigned copy = 0) const {
    const std::uint32_t place = of_row_[row] | of_column_[column] | of_copy_[copy];
    return {place % lanes, place / lanes};
  }
  FragmentElement element_at(unsigned lane, unsigned item) const;

  unsigned rows() const { return static_cast<unsigned>(of_row_.size()); }
  unsigned columns() const { return static_cast<unsigned>(of_column_.size()); }
  unsigned copies() const { return static_cast<unsigned>(of_copy_.size()); }
  unsigned items() const { return static_cast<unsigned>(of_item_.size()); }  ///< of a lane

 private:
  static constexpr std::uint32_t lanes = 32;

  // The places of elements are sums, one term for each coordinate; so are the elements at places.
  std::vector<std::uint32_t> of_row_{0}, of_column_{0}, of_copy_{0};
  std::vector<FragmentElement> of_lane_{{}}, of_item_{{}};
};

/// The fragment of a matrix for mma: PTX ISA 8.7 § 9.7.14.5.2 to § 9.7.14.5.13. The lanes 4g to 4g + 3 hold
/// row g of each block of 8 rows and 4 · `adjacent` columns, each lane `adjacent` consecutive columns. A lane
/// holds its elements of the blocks below each other first. For a B the rows are its columns.
FragmentLayout quad_fragment(unsigned rows, unsigned columns, unsigned adjacent);

}  // namespace ptxmc
