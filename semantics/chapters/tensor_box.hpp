#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "semantics/language/tensor_map.hpp"
#include "semantics/language/type.hpp"

namespace ptxmc {

/// How a copy finds the elements that it accesses: PTX ISA 8.7 § 5.5.2.
enum class TensorMode : std::uint8_t {
  tile,                    ///< § 5.5.3; also `.tile::gather4` and `.tile::scatter4`
  im2col,                  ///< § 5.5.4
  im2col_without_offsets,  ///< `.im2col_no_offs`
};

/// By dimension, the innermost first.
using TensorCoordinates = std::array<std::int64_t, most_tensor_dimensions>;

/// The operands of an instruction that say where in a tensor it begins.
struct TensorPlace {
  TensorMode mode = TensorMode::tile;
  unsigned rank = 1;
  /// One, or one for each row that is gathered or scattered.
  std::vector<TensorCoordinates> starts;
  std::array<std::int64_t, 3> offsets{};  ///< im2col offsets, of dimension 1 and up
};

/// The elements of a tensor that one operation accesses.
struct TensorBox {
  Bits global_address;
  unsigned rank = 1;
  std::array<std::uint64_t, most_tensor_dimensions> size{};  ///< of the tensor, in elements
  std::array<std::uint64_t, most_tensor_dimensions>
      stride{};  ///< of the tensor, in bytes; not of dimension 0
  TensorElementType type;
  Swizzle swizzle = Swizzle::none;
  bool fills_with_nan = false;
  std::uint64_t row_elements = 1;       ///< of dimension 0
  std::vector<TensorCoordinates> rows;  ///< the first element of each, in their order in shared memory

  std::uint64_t row_bytes() const { return row_elements / type.group * type.shared_width / 8; }
  /// From one row to the next in shared memory: a row has the width of the swizzle, also if it has less data.
  std::uint64_t row_pitch() const { return std::max<std::uint64_t>(row_bytes(), swizzle_width(swizzle)); }
  /// Of the data in shared memory.
  std::uint64_t bytes() const { return rows.size() * row_bytes(); }
};

/// Throws UnhandledEffect, with the reason, if the map does not say which elements these are.
TensorBox box_of(const TensorMap&, const TensorPlace&);

/// Neighbouring elements of one row that are copied together.
struct TensorPiece {
  Bits global_address;
  std::uint64_t offset = 0;  ///< from the start of the box in shared memory, before swizzling, in bytes
  unsigned global_bytes = 0;
  unsigned shared_bytes = 0;  ///< less: the rest is padding
  bool is_inside = false;     ///< of the tensor: § 5.5.3.3
};

/// All pieces, in the order of shared memory. A piece has one group of a packed type, or else at most 8
/// bytes: elements of less than 4 bytes are taken together where they are aligned and on the same side of the
/// border of the tensor.
std::vector<TensorPiece> pieces_of(const TensorBox&);

}  // namespace ptxmc
