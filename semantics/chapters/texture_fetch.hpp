#pragma once

#include "semantics/chapters/image_access.hpp"

namespace ptxmc {

/// The lookup of a texture that an instruction describes: PTX ISA 8.7 § 9.7.10.3, § 9.7.10.4, and the
/// chapter on texture fetching of the CUDA C++ programming guide. A texture has one level.
struct TextureLookup {
  OpaqueObject texture;
  Sampler sampler;
  bool is_normalized = false;  ///< the coordinates are in [0, 1)
  bool has_float_coordinates = false;
  std::vector<Bits> coordinates;  ///< 32 bits each, without the index of a layer; of a face for a cube
  std::vector<Bits> offsets;      ///< in texels, 32 bits each; may be empty
  Bits layer;                     ///< 64 bits
  Bits depth;                     ///< compared with each texel, f32; width 0: no comparison
};

/// The result for each channel of the texture, 32 bits: a number of f32, or an integer. Neighbouring texels
/// are weighted if the sampler is linear. The rounding of coordinates, of numbers of normalized formats and
/// of weighted sums is open (docs/instruction-notes.md).
std::vector<Bits> sampled(const TextureLookup&, Effects&);

/// One channel of the four texels that bilinear filtering would use, counter-clockwise from the lower left.
std::array<Bits, 4> footprint(const TextureLookup&, unsigned channel, Effects&);

/// Whether the numbers of the texture are read as f32.
bool gives_floats(const OpaqueObject&);

/// Replaces the direction in `coordinates` by coordinates in the face of the cube that it meets. Returns the
/// number of the face, 64 bits.
Bits choose_face(TextureLookup&);

}  // namespace ptxmc
