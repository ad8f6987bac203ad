#include "src/kernel/launch/tensor_map_entry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ptxmc::kernel {

namespace {

void set(TensorMap& map, TensorMapField field, std::uint64_t value) {
  map.set_field(field, Bits(field.width, value));
}

/// The corners of the box of an im2col map in the dimensions of the images: PTX ISA 8.7 § 5.5.4.1.
std::vector<std::int64_t> read_corners(const TomlValues& values, const toml::node& node, std::size_t rank) {
  constexpr unsigned bits[] = {15, 7, 4};  // of the absolute value, by the number of these dimensions
  const toml::array& numbers = values.array(node);
  if (numbers.size() != rank - 2)
    values.fail(node, fmt::format("found {} numbers, expected {}", numbers.size(), rank - 2));
  const std::int64_t lowest = -(std::int64_t{1} << bits[rank - 3]);
  std::vector<std::int64_t> corners;
  for (const toml::node& number : numbers) corners.push_back(values.integer(number, lowest, -lowest - 1));
  return corners;
}

/// What an im2col map has instead of a box.
void read_im2col(const TomlValues& values, const toml::node& node, std::size_t rank, TensorMap& map) {
  if (!node.is_table()) values.fail(node, "found another value, expected im2col = { lower = …, … }");
  const toml::table& table = *node.as_table();
  values.check_keys(table, {"lower", "upper", "channels", "pixels"});
  if (rank < 3) values.fail(node, fmt::format("found {} dimensions, expected 3 to 5 for im2col", rank));
  const auto lower = read_corners(values, values.required(table, "lower"), rank);
  const auto upper = read_corners(values, values.required(table, "upper"), rank);
  constexpr std::int64_t most_channels = 256, most_pixels = 1024;
  const auto number = [&](std::string_view key, std::int64_t most) {
    return static_cast<std::uint64_t>(values.integer(values.required(table, key), 1, most));
  };
  map.set_im2col();
  set(map, channels_per_pixel_field, number("channels", most_channels));
  set(map, pixels_per_column_field, number("pixels", most_pixels));
  for (unsigned i = 1; i + 1 < rank; ++i) {
    const auto half = [](std::int64_t corner) { return static_cast<std::uint64_t>(corner) & 0xffff; };
    set(map, box_corners_field(i), half(upper[i - 1]) << 16 | half(lower[i - 1]));
  }
}

/// What a copy covers.
void read_box(const TomlValues& values, const toml::table& table, std::size_t rank, TensorMap& map) {
  const toml::node* const im2col = table.get("im2col");
  if (im2col != nullptr && table.contains("box"))
    values.fail(*im2col, "found 'im2col' with 'box', expected one of them");
  if (im2col != nullptr) return read_im2col(values, *im2col, rank, map);
  const auto box = values.integers(values.required(table, "box"), rank, 1, 256);
  for (unsigned i = 0; i < rank; ++i) set(map, box_dim_field(i), box[i]);
}

void read_layout(const TomlValues& values, const toml::table& table, TensorMap& map) {
  const toml::node& dims = values.required(table, "dims");
  const std::size_t rank = values.array(dims).size();
  if (rank < 1 || rank > most_tensor_dimensions)
    values.fail(dims, fmt::format("found {} dimensions, expected 1 to {}", rank, most_tensor_dimensions));
  const auto sizes = values.integers(dims, rank, 1, UINT32_MAX);
  std::vector<std::uint64_t> steps(rank, 1), strides;
  if (const toml::node* node = table.get("element_strides")) steps = values.integers(*node, rank, 1, 8);
  if (rank > 1 || table.contains("strides")) {
    const toml::node& node = values.required(table, "strides");
    strides = values.integers(node, rank - 1, 16, (std::int64_t{1} << 40) - 1);
    for (const std::uint64_t stride : strides)
      if (stride % 16 != 0)
        values.fail(node, fmt::format("found {}, expected multiples of 16 bytes", stride));
  }
  set(map, rank_field, rank - 1);
  for (unsigned i = 0; i < rank; ++i) {
    set(map, global_dim_field(i), sizes[i]);
    set(map, element_stride_field(i), steps[i]);
    if (i > 0) set(map, global_stride_field(i - 1), strides[i - 1]);
  }
  read_box(values, table, rank, map);
}

/// The limits of the box in dimension 0, in bytes. Those of the pixels of an im2col map are the same.
void check_row(const TomlValues& values, const toml::node& box, const TensorMap& map,
               const TensorElementType& type, std::uint64_t swizzle) {
  const std::uint64_t elements = map.field(box_dim_field(0)).to_u64();
  if (elements % type.group != 0)
    values.fail(box, fmt::format("found {} elements in dimension 0, expected a multiple of {}", elements,
                                 type.group));
  const std::uint64_t bytes = elements / type.group * type.shared_width / 8;
  constexpr std::uint64_t most_bytes[] = {~std::uint64_t{0}, 32, 64, 128, 128, 128, 128};
  if (bytes % 16 != 0)
    values.fail(box, fmt::format("found {} bytes in dimension 0, expected a multiple of 16", bytes));
  if (bytes > most_bytes[swizzle])
    values.fail(box, fmt::format("found {} bytes in dimension 0, expected at most the {} of the swizzle",
                                 bytes, most_bytes[swizzle]));
}

/// The type of the elements, and how they lie in shared memory.
void read_elements(const TomlValues& values, const toml::table& table, TensorMap& map) {
  static constexpr std::string_view interleaves[] = {"none", "16B", "32B"};
  static constexpr std::string_view fills[] = {"zero", "nan"};
  // In the order of the enumeration Swizzle.
  static constexpr std::string_view swizzles[] = {
      "none", "32B", "64B", "128B", "128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"};
  const toml::node& element = values.required(table, "element");
  const auto* type =
      std::ranges::find(tensor_element_types, "." + values.string(element), &TensorElementType::name);
  if (type == tensor_element_types.end())
    values.fail(element, fmt::format("found element '{}', expected one such as u8, s32, f16, f32",
                                     values.string(element)));
  const std::uint64_t swizzle = values.choice(table, "swizzle", swizzles);
  const std::uint64_t interleave = values.choice(table, "interleave", interleaves);
  const std::uint64_t fill = values.choice(table, "fill", fills);
  if (fill != 0 && !type->is_float)
    values.fail(*table.get("fill"), fmt::format("found \"nan\" for elements of type {}, expected it for "
                                                "floating-point types",
                                                type->name.substr(1)));
  if (interleave == 0)
    check_row(values, *table.get(table.contains("box") ? "box" : "im2col"), map, *type, swizzle);
  set(map, elemtype_field, static_cast<std::uint64_t>(type - tensor_element_types.begin()));
  set(map, interleave_layout_field, interleave);
  set(map, swizzle_mode_field, std::min<std::uint64_t>(swizzle, 3));
  set(map, swizzle_atomicity_field, swizzle > 3 ? swizzle - 3 : 0);
  set(map, fill_mode_field, fill);
}

PlacedTensorMap read_tensor_map(const TomlValues& values, const toml::node& node,
                                std::uint64_t holder_bytes) {
  if (!node.is_table()) values.fail(node, "found another value, expected tensormap = { buffer = …, … }");
  const toml::table& table = *node.as_table();
  values.check_keys(table, {"offset", "buffer", "element", "dims", "strides", "box", "im2col",
                            "element_strides", "interleave", "swizzle", "fill"});
  PlacedTensorMap placed;
  placed.buffer = values.string(table, "buffer");
  if (const toml::node* offset = table.get("offset"))
    placed.offset = static_cast<std::uint64_t>(values.integer(*offset, 0, INT32_MAX));
  if (placed.offset % 64 != 0 || placed.offset + tensor_map_bytes > holder_bytes)
    values.fail(table,
                fmt::format("found a tensor map of {} bytes at offset {} of {} bytes, expected it inside, "
                            "at a multiple of 64",
                            tensor_map_bytes, placed.offset, holder_bytes));
  read_layout(values, table, placed.map);
  read_elements(values, table, placed.map);
  return placed;
}

}  // namespace

std::vector<PlacedTensorMap> read_tensor_maps(const TomlValues& values, const toml::node& node,
                                              std::uint64_t holder_bytes) {
  if (!node.is_array()) return {read_tensor_map(values, node, holder_bytes)};
  std::vector<PlacedTensorMap> maps;
  for (const toml::node& element : values.array(node))
    maps.push_back(read_tensor_map(values, element, holder_bytes));
  return maps;
}

}  // namespace ptxmc::kernel
