// PTX ISA 8.7 § 5.5: which elements of a tensor an operation accesses.
#include "semantics/chapters/tensor_box.hpp"

#include <algorithm>
#include <stdexcept>

#include "semantics/language/effects.hpp"

namespace ptxmc {

namespace {

std::uint64_t known_field(const TensorMap& map, TensorMapField field) {
  if (!map.field(field).is_constant()) throw UnhandledEffect("a tensor map whose fields are not known");
  return map.field(field).to_u64();
}

Swizzle known_swizzle(const TensorMap& map) try {
  return swizzle_of(known_field(map, swizzle_mode_field), known_field(map, swizzle_atomicity_field));
} catch (const std::out_of_range&) {
  throw UnhandledEffect("swizzle modes that do not go together");
}

/// The traversal stride: § 5.5.3.2.
std::int64_t step(const TensorMap& map, unsigned dimension) {
  return static_cast<std::int64_t>(
      std::max<std::uint64_t>(1, known_field(map, element_stride_field(dimension))));
}

/// Of each dimension of a box, and of the elements of a pixel, in the interface of the CUDA driver that makes
/// tensor maps.
constexpr std::uint64_t most_box_elements = 256;

std::uint64_t box_elements(const TensorMap& map, TensorMapField field) {
  const std::uint64_t elements = known_field(map, field);
  if (elements == 0 || elements > most_box_elements)
    throw UnhandledEffect("a box with a dimension of no or more than 256 elements");
  return elements;
}

/// § 5.5.3: the rows of the box at these coordinates.
void add_tile(const TensorMap& map, const TensorCoordinates& start, TensorBox& box) {
  std::array<std::int64_t, most_tensor_dimensions> steps{}, count{};
  std::int64_t rows = 1;
  for (unsigned i = 1; i < box.rank; ++i) {
    steps[i] = step(map, i);
    count[i] = (static_cast<std::int64_t>(box_elements(map, box_dim_field(i))) + steps[i] - 1) / steps[i];
    rows *= count[i];
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    TensorCoordinates first = start;
    std::int64_t rest = row;
    for (unsigned i = 1; i < box.rank; ++i) {
      first[i] += rest % count[i] * steps[i];
      rest /= count[i];
    }
    box.rows.push_back(first);
  }
}

/// The positions of the filter in one dimension of an image: § 5.5.4.1.
struct FilterRange {
  std::int64_t lower = 0, end = 0, step = 1;
  bool contains(std::int64_t position) const { return position >= lower && position < end; }
};

FilterRange filter_range(const TensorMap& map, unsigned dimension, const TensorBox& box) {
  const std::uint64_t corners = known_field(map, box_corners_field(dimension));
  const auto corner = [&](unsigned shift) { return static_cast<std::int16_t>(corners >> shift & 0xffff); };
  const std::int64_t upper = corner(16);
  return {corner(0), static_cast<std::int64_t>(box.size[dimension]) + upper, step(map, dimension)};
}

/// § 5.5.4: the pixels of a column. The filter moves through its box, along W first, then H, D and N.
void add_column(const TensorMap& map, const TensorPlace& place, TensorBox& box) {
  constexpr std::uint64_t most_pixels = 1024;  // in the interface of the CUDA driver
  const std::uint64_t pixels = known_field(map, pixels_per_column_field);
  if (pixels == 0 || pixels > most_pixels) throw UnhandledEffect("a column of no or more than 1024 pixels");
  const unsigned images = box.rank - 1;  // the dimension N
  TensorCoordinates filter = place.starts.front();
  std::array<FilterRange, most_tensor_dimensions> ranges;
  for (unsigned i = 1; i < images; ++i) {
    ranges[i] = filter_range(map, i, box);
    if (!ranges[i].contains(filter[i])) throw UnhandledEffect("a filter outside of the box of an im2col map");
    // § 9.7.9.25.5.1
    if (place.mode == TensorMode::im2col_without_offsets &&
        (ranges[i].lower < 0 || ranges[i].end > static_cast<std::int64_t>(box.size[i])))
      throw UnhandledEffect("a store to an im2col box that is not inside of the tensor");
  }
  for (std::uint64_t pixel = 0; pixel < pixels; ++pixel) {
    TensorCoordinates first = filter;
    for (unsigned i = 1; i < images; ++i) first[i] += place.offsets[i - 1];
    box.rows.push_back(first);
    unsigned i = 1;
    for (; i < images; ++i) {
      filter[i] += ranges[i].step;
      if (ranges[i].contains(filter[i])) break;
      filter[i] = ranges[i].lower;
    }
    if (i == images) filter[images] += step(map, images);
  }
}

/// § 5.5.1.1.1, § 9.7.9.25.5.1.
void check_packing(const TensorBox& box) {
  if (box.type.group == 1) return;
  const bool has_padding = box.type.shared_width > box.type.width;
  const std::uint64_t unit = has_padding ? 128 : box.type.group;
  const bool fits = (has_padding ? box.row_elements == unit : box.row_elements % unit == 0) &&
                    box.size[0] % unit == 0 &&
                    std::ranges::all_of(box.rows, [&](const TensorCoordinates& row) {
                      return row[0] % static_cast<std::int64_t>(unit) == 0;
                    });
  if (!fits) throw UnhandledEffect("rows that this packed type does not have");
  if (has_padding && box.swizzle != Swizzle::none && box.swizzle < Swizzle::bytes_128)
    throw UnhandledEffect("a swizzle that packed elements with padding do not have");
}

class Pieces {
 public:
  explicit Pieces(const TensorBox& box) : box_(box) {}

  std::vector<TensorPiece> all() {
    for (std::size_t row = 0; row < box_.rows.size(); ++row) add_row(box_.rows[row], row * box_.row_pitch());
    return std::move(result_);
  }

 private:
  bool is_inside(unsigned dimension, std::int64_t coordinate) const {
    return coordinate >= 0 && static_cast<std::uint64_t>(coordinate) < box_.size[dimension];
  }

  void add_row(const TensorCoordinates& first, std::uint64_t offset) {
    bool row_is_inside = true;
    Bits row_address = box_.global_address;
    for (unsigned i = 1; i < box_.rank; ++i) {
      row_is_inside = row_is_inside && is_inside(i, first[i]);
      row_address = row_address + Bits(64, static_cast<std::uint64_t>(first[i]) * box_.stride[i]);
    }
    const auto group = static_cast<std::int64_t>(box_.type.group);
    const unsigned width = box_.type.width / 8, shared_width = box_.type.shared_width / 8;  // in bytes
    const std::int64_t together = width < 4 ? 4 / width : 1;                                // groups
    const auto count = static_cast<std::int64_t>(box_.row_elements) / group;
    const bool is_aligned = first[0] % together == 0;
    for (std::int64_t at = 0; at < count;) {
      const std::int64_t element = first[0] + at * group;
      const bool joins = is_aligned && at % together == 0 && at + together <= count &&
                         is_inside(0, element) == is_inside(0, element + together - 1);
      const auto groups = static_cast<unsigned>(joins ? together : 1);
      result_.push_back({row_address + Bits(64, static_cast<std::uint64_t>(element / group) * width),
                         offset + static_cast<std::uint64_t>(at) * shared_width, groups * width,
                         groups * shared_width, row_is_inside && is_inside(0, element)});
      at += groups;
    }
  }

  const TensorBox& box_;
  std::vector<TensorPiece> result_;
};

}  // namespace

TensorBox box_of(const TensorMap& map, const TensorPlace& place) {
  if (!map.is_valid().is_true()) throw UnhandledEffect("memory that is not known to hold a tensor map");
  const bool is_tile = place.mode == TensorMode::tile;
  if (map.is_im2col().is_true() == is_tile) throw UnhandledEffect("a tensor map for another mode");
  if (known_field(map, rank_field) + 1 != place.rank)
    throw UnhandledEffect("a tensor map of another number of dimensions");
  if (known_field(map, interleave_layout_field) != 0) throw UnhandledEffect("an interleaved layout");
  TensorBox box;
  box.global_address = map.field(global_address_field);
  box.rank = place.rank;
  box.type = tensor_element_types.at(known_field(map, elemtype_field) % tensor_element_types.size());
  box.swizzle = known_swizzle(map);
  box.fills_with_nan = known_field(map, fill_mode_field) != 0;
  box.row_elements = box_elements(map, is_tile ? box_dim_field(0) : channels_per_pixel_field);
  for (unsigned i = 0; i < box.rank; ++i) {
    box.size[i] = known_field(map, global_dim_field(i));
    if (i > 0) box.stride[i] = known_field(map, global_stride_field(i - 1));
  }
  if (is_tile)
    for (const TensorCoordinates& start : place.starts) add_tile(map, start, box);
  else
    add_column(map, place, box);
  check_packing(box);
  return box;
}

std::vector<TensorPiece> pieces_of(const TensorBox& box) { return Pieces(box).all(); }

}  // namespace ptxmc
