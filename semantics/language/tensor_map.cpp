#include "semantics/language/tensor_map.hpp"

#include <algorithm>
#include <stdexcept>

namespace ptxmc {

namespace {

/// Distinguishes tensor maps from other memory, and the two kinds of maps.
constexpr TensorMapField tag_field = {124, 32};
constexpr std::uint64_t tile_tag = 0x7e50a9d1, im2col_tag = 0x7e50a9d2;

/// Which bits of an address a swizzle changes: `count` bits from bit `first` are combined by exclusive or
/// with the bits from bit 7, the number of the row of 128 bytes.
struct SwizzledBits {
  unsigned first = 4, count = 0;
  bool flips_8_bytes = false;  ///< the halves of 16 bytes change places in odd rows
};

SwizzledBits bits_of(Swizzle swizzle) {
  switch (swizzle) {
    case Swizzle::none:
      return {};
    case Swizzle::bytes_32:
      return {4, 1};
    case Swizzle::bytes_64:
      return {4, 2};
    case Swizzle::bytes_128:
      return {4, 3};
    case Swizzle::bytes_128_atomicity_32:
      return {5, 2};
    case Swizzle::bytes_128_atomicity_32_flip_8:
      return {5, 2, true};
    case Swizzle::bytes_128_atomicity_64:
      return {6, 1};
  }
  throw std::logic_error("a swizzle");
}

/// `count` bits of the row's number, at bit `first`.
Bits row_bits(const Bits& address, unsigned first, unsigned count) {
  return concat(address.extract(7, count), Bits(first, 0)).zero_extend(64);
}

}  // namespace

TensorMap::TensorMap() {
  words_.fill(Bits(64, 0));
  set_field(tag_field, Bits(32, tile_tag));
}

TensorMap::TensorMap(std::span<const Bits, tensor_map_bytes / 8> words) {
  std::copy(words.begin(), words.end(), words_.begin());
}

Bits TensorMap::is_valid() const { return equal(field(tag_field), Bits(32, tile_tag)) | is_im2col(); }

Bits TensorMap::is_im2col() const { return equal(field(tag_field), Bits(32, im2col_tag)); }

void TensorMap::set_im2col() { set_field(tag_field, Bits(32, im2col_tag)); }

Bits TensorMap::field(TensorMapField field) const {
  return words_.at(field.offset / 8).extract(field.offset % 8 * 8, field.width);
}

void TensorMap::set_field(TensorMapField field, const Bits& value) {
  Bits& word = words_.at(field.offset / 8);
  if (field.width == 64)
    word = value;
  else
    word = field.offset % 8 == 0 ? concat(word.extract(32, 32), value) : concat(value, word.extract(0, 32));
}

void add_tensor_map(std::vector<TensorMap>& maps, const TensorMap& map) {
  if (std::ranges::none_of(maps, [&](const TensorMap& other) { return identical(map, other); }))
    maps.push_back(map);
}

Swizzle swizzle_of(std::uint64_t mode, std::uint64_t atomicity) {
  if (mode == 3 && atomicity == 1) return Swizzle::bytes_128_atomicity_32;
  if (mode == 3 && atomicity == 2) return Swizzle::bytes_128_atomicity_32_flip_8;
  if (mode == 3 && atomicity == 3) return Swizzle::bytes_128_atomicity_64;
  if (mode > 3 || atomicity != 0) throw std::out_of_range("swizzle modes that do not go together");
  constexpr Swizzle modes[] = {Swizzle::none, Swizzle::bytes_32, Swizzle::bytes_64, Swizzle::bytes_128};
  return modes[mode];
}

unsigned swizzle_width(Swizzle swizzle) {
  switch (swizzle) {
    case Swizzle::none:
      return 0;
    case Swizzle::bytes_32:
      return 32;
    case Swizzle::bytes_64:
      return 64;
    default:
      return 128;
  }
}

Bits swizzled(Swizzle swizzle, const Bits& address) {
  const SwizzledBits bits = bits_of(swizzle);
  if (bits.count == 0) return address;
  const Bits moved = address ^ row_bits(address, bits.first, bits.count);
  return bits.flips_8_bytes ? moved ^ row_bits(address, 3, 1) : moved;
}

}  // namespace ptxmc
