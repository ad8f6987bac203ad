#include "semantics/chapters/shared_matrix.hpp"

#include "semantics/chapters/asynchronous_operation.hpp"
#include "semantics/values/arithmetic.hpp"

namespace ptxmc {

namespace {

/// A field of a descriptor that counts units of 16 bytes.
Bits in_bytes(const Bits& descriptor, unsigned first) {
  return concat(descriptor.extract(first, 14), Bits(4, 0)).zero_extend(32);
}

}  // namespace

SharedMatrix::SharedMatrix(const Bits& descriptor, Chapter chapter, unsigned element_bits, bool is_k_major)
    : element_bits_(element_bits),
      is_k_major_(is_k_major),
      start_(in_bytes(descriptor, 0)),
      leading_(known(in_bytes(descriptor, 16))),
      stride_(known(in_bytes(descriptor, 32))) {
  if (known(descriptor.extract(49, 3)) != 0)
    throw UnhandledEffect("a matrix descriptor with a base offset, whose effect the manual does not say");
  if (chapter == Chapter::tcgen05 && known(descriptor.extract(52, 1)) != 0)
    throw UnhandledEffect("a matrix descriptor with an absolute leading byte offset");
  const unsigned bits = chapter == Chapter::wgmma ? 2 : 3;
  read_swizzle(static_cast<unsigned>(known(descriptor.extract(64 - bits, bits))), chapter);
}

void SharedMatrix::read_swizzle(unsigned mode, Chapter chapter) {
  if (mode == 0) return;
  if (chapter == Chapter::tcgen05) {
    if (mode == 1) {  // 128 bytes in atoms of 32 bytes
      if (is_k_major_) throw UnhandledEffect("a swizzle in atoms of 32 bytes of a matrix that is K-major");
      row_bytes_ = 128;
      pattern_rows_ = 4;
      mask_ = 0x60;
      shift_ = 2;
      return;
    }
    if (mode % 2 != 0) throw UnhandledEffect("a swizzling mode that the manual does not have");
    mode /= 2;  // as for wgmma: 1 of 128 bytes, 2 of 64, 3 of 32
  }
  row_bytes_ = 256 >> mode;
  mask_ = row_bytes_ - unit_bytes;
  shift_ = 3;
}

std::uint64_t SharedMatrix::offset_of(MatrixPosition at) const {
  const std::uint64_t line = at.line, k = at.k;
  if (is_k_major_) {
    const std::uint64_t byte = k * element_bits_ / 8, group = line / 8 * stride_;
    if (row_bytes_ != 0) return line % 8 * row_bytes_ + group + byte;
    return line % 8 * unit_bytes + group + byte / unit_bytes * leading_ + byte % unit_bytes;
  }
  const std::uint64_t in_unit = unit_bytes * 8 / element_bits_;
  const std::uint64_t unit = line / in_unit, byte = line % in_unit * element_bits_ / 8;
  if (row_bytes_ == 0) return unit * stride_ + byte + k % 8 * unit_bytes + k / 8 * leading_;
  const std::uint64_t units = row_bytes_ / unit_bytes;
  return unit % units * unit_bytes + unit / units * leading_ + byte + k % pattern_rows_ * row_bytes_ +
         k / pattern_rows_ * stride_;
}

Bits SharedMatrix::address_of(MatrixPosition at) const {
  const Bits address = start_ + Bits(32, offset_of(at));
  if (mask_ == 0) return address;
  return address ^ (shift_right_unsigned(address, Bits(32, shift_)) & Bits(32, mask_));
}

}  // namespace ptxmc
