#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// A field of a tensor map: its place in the object. The object is opaque to programs, so the layout of its
/// 128 bytes is ours.
struct TensorMapField {
  unsigned offset = 0;  ///< in bytes
  unsigned width = 0;   ///< in bits
};

constexpr unsigned tensor_map_bytes = 128, most_tensor_dimensions = 5;

// The fields that tensormap.replace names: PTX ISA 8.7 § 9.7.9.26. `dimension` counts from 0, the innermost.
constexpr TensorMapField global_address_field = {0, 64};
/// In bytes, the distance between neighbours in `dimension + 1`; at most 3.
constexpr TensorMapField global_stride_field(unsigned dimension) { return {8 + 8 * dimension, 64}; }
/// In elements.
constexpr TensorMapField global_dim_field(unsigned dimension) { return {40 + 4 * dimension, 32}; }
/// In elements of the tensor that the box covers.
constexpr TensorMapField box_dim_field(unsigned dimension) { return {60 + 4 * dimension, 32}; }
constexpr TensorMapField element_stride_field(unsigned dimension) { return {80 + 4 * dimension, 32}; }
constexpr TensorMapField rank_field = {100, 32};  ///< the number of dimensions less 1
constexpr TensorMapField elemtype_field = {104, 32};
constexpr TensorMapField interleave_layout_field = {108, 32};
constexpr TensorMapField swizzle_mode_field = {112, 32};
constexpr TensorMapField swizzle_atomicity_field = {116, 32};
constexpr TensorMapField fill_mode_field = {120, 32};

// What a tensor map for im2col mode has instead of a box: PTX ISA 8.7 § 5.5.4.1.
constexpr TensorMapField channels_per_pixel_field = box_dim_field(0);
constexpr TensorMapField pixels_per_column_field = box_dim_field(1);
/// The corners of the box in `dimension` from 1 on, of 16 bits with a sign: the lower one in the lower half.
constexpr TensorMapField box_corners_field(unsigned dimension) { return box_dim_field(1 + dimension); }

/// The type of the elements of a tensor.
struct TensorElementType {
  std::string_view name;
  unsigned width = 0;         ///< of a group in bits, in global memory
  bool is_float = false;      ///< so that a fill with NaN is possible
  unsigned group = 1;         ///< the number of elements; more than one for packed types
  unsigned shared_width = 0;  ///< of a group in bits, in shared memory, with its padding

  constexpr TensorElementType() = default;
  constexpr TensorElementType(std::string_view named, unsigned bits, bool floats = false)
      : name(named), width(bits), is_float(floats), shared_width(bits) {}
  /// A packed type (§ 5.5.1.1).
  constexpr TensorElementType(std::string_view named, unsigned bits, unsigned elements, unsigned in_shared)
      : name(named), width(bits), group(elements), shared_width(in_shared) {}
};

/// The types by their number in a tensor map (PTX ISA 8.7 § 9.7.9.26, Table 32; § 5.5.1).
constexpr std::array<TensorElementType, 16> tensor_element_types = {{
    {".u8", 8},
    {".u16", 16},
    {".u32", 32},
    {".s32", 32},
    {".u64", 64},
    {".s64", 64},
    {".f16", 16, true},
    {".f32", 32, true},
    {".f32.ftz", 32, true},
    {".f64", 64, true},
    {".bf16", 16, true},
    {".tf32", 32, true},
    {".tf32.ftz", 32, true},
    {".b4x16", 64, 16, 64},
    {".b4x16_p64", 64, 16, 128},
    {".b6x16_p32", 96, 16, 128},  // in copies to global memory: .b6p2x16
}};

/// A tensor map: PTX ISA 8.7 § 5.5.8.
class TensorMap {
 public:
  /// A map whose fields are all 0.
  TensorMap();
  /// The object with these words of 64 bits, in the order of their addresses.
  explicit TensorMap(std::span<const Bits, tensor_map_bytes / 8> words);

  /// Whether the object was made as a tensor map; width 1.
  Bits is_valid() const;
  /// Whether it is for im2col mode; width 1.
  Bits is_im2col() const;
  /// Makes it one for im2col mode.
  void set_im2col();
  Bits field(TensorMapField) const;
  void set_field(TensorMapField, const Bits& value);
  std::span<const Bits, tensor_map_bytes / 8> words() const { return words_; }
  friend bool identical(const TensorMap& a, const TensorMap& b) {
    return std::equal(a.words_.begin(), a.words_.end(), b.words_.begin(),
                      [](const Bits& x, const Bits& y) { return identical(x, y); });
  }

 private:
  std::array<Bits, tensor_map_bytes / 8> words_;
};

/// Adds a tensor map to a set of different ones.
void add_tensor_map(std::vector<TensorMap>&, const TensorMap&);

/// How swizzling permutes shared memory: PTX ISA 8.7 § 5.5.7.
enum class Swizzle : std::uint8_t {
  none,
  bytes_32,
  bytes_64,
  bytes_128,
  bytes_128_atomicity_32,
  bytes_128_atomicity_32_flip_8,
  bytes_128_atomicity_64,
};

/// The swizzle with these values of the fields `.swizzle_mode` and `.swizzle_atomicity`. Throws
/// std::out_of_range if Table 14 does not allow them together.
Swizzle swizzle_of(std::uint64_t mode, std::uint64_t atomicity);

/// The bytes of shared memory that a row of a swizzled box takes; 0 without swizzling. CUDA C++ Programming
/// Guide, "Tensor Memory Access": shared memory has to hold the full width also if rows have less data.
unsigned swizzle_width(Swizzle);

/// The address in shared memory, 64 bits, of the byte that is at `address` without swizzling. The pattern
/// repeats with the address, not with the start of the copy.
Bits swizzled(Swizzle, const Bits& address);

}  // namespace ptxmc
