#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "semantics/language/address_windows.hpp"
#include "semantics/language/type.hpp"

namespace ptxmc {

/// What a coordinate outside of a texture stands for: PTX ISA 8.7 § 5.3.2.
enum class AddressMode : std::uint8_t { clamp, border, wrap, mirror };

/// The comparison of a depth with a texel, `depth OP texel`.
enum class DepthComparison : std::uint8_t {
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  always
};

/// The attributes of a sampler: PTX ISA 8.7 § 5.3.2.
struct Sampler {
  std::array<AddressMode, 3> address = {};
  bool is_linear = false;
  std::optional<bool> is_normalized;  ///< coordinates in [0, 1); empty: not said
  std::optional<DepthComparison> comparison;
};

constexpr unsigned most_image_dimensions = 3, most_channels = 4;

/// A texture, a sampler or a surface: PTX ISA 8.7 § 5.3. Its rows lie one after the other in global memory,
/// then the planes, then the layers.
struct OpaqueObject {
  enum class Kind : std::uint8_t { texture, sampler, surface };
  Kind kind = Kind::texture;
  Sampler sampler;

  // Of textures and surfaces.
  std::optional<std::uint64_t> address;  ///< of the first element; empty: the launch does not give the memory
  bool is_linear_memory = false;         ///< the memory is a buffer, to which pointers may exist
  Type channel;                          ///< of one number
  unsigned channels = 1;
  /// An integer stands for a number in [0, 1], or in [−1, 1] if it is signed.
  bool is_normalized_number = false;
  unsigned dimensions = 1;
  std::array<std::uint32_t, most_image_dimensions> size = {1, 1, 1};  ///< in elements
  std::optional<std::uint32_t> layers;                                ///< of an array; a cube has six
  bool is_cube = false;

  std::uint32_t channel_bytes() const { return channel.width / 8U; }
  std::uint32_t element_bytes() const { return channels * channel_bytes(); }
  /// The number of elements in memory.
  std::uint64_t elements() const { return std::uint64_t{size[0]} * size[1] * size[2] * layers.value_or(1); }
};

// A handle is the generic address of a descriptor in constant memory. The objects are opaque to programs, so
// the layout of descriptors is ours.

constexpr unsigned descriptor_bytes = 64;

/// Handles are multiples of this number of bytes behind the first one.
constexpr std::uint64_t spacing_of_handles = 64;
constexpr std::uint64_t first_handle = window_of(StateSpace::constant) + window_size / 2;

/// Whether a value may be a handle, width 1.
Bits may_be_handle(const Bits& value);

/// The words of the descriptor of an object, and the object that a descriptor describes; empty if the words
/// are those of no descriptor.
using DescriptorWords = std::array<std::uint64_t, descriptor_bytes / 8>;
DescriptorWords descriptor_of(const OpaqueObject&);
std::optional<OpaqueObject> described_object(const DescriptorWords&);

}  // namespace ptxmc
