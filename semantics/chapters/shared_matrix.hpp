#pragma once

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The place of an element in the memory of a matrix.
struct MatrixPosition {
  unsigned line = 0;  ///< the row of an A, the column of a B
  unsigned k = 0;
};

/// A matrix in shared memory as a matrix descriptor describes it: PTX ISA 8.7 § 9.7.15.5.1, § 9.7.16.3.1.
///
/// Memory is divided into units of 16 bytes. In a *K-major* matrix a unit holds elements of one line, that is
/// of a row of A or of a column of B; in an *MN-major* one it holds elements of neighbouring lines. Swizzling
/// exchanges units within patterns of 256, 512 or 1024 bytes.
class SharedMatrix {
 public:
  enum class Chapter : std::uint8_t { wgmma, tcgen05 };

  /// `element_bits` of an element in memory. Throws UnhandledEffect for a descriptor whose layout depends on
  /// values that are not known, or that the manual does not give a meaning.
  SharedMatrix(const Bits& descriptor, Chapter, unsigned element_bits, bool is_k_major);

  /// The address of the byte that holds the first bit of an element, an offset in the shared memory of the
  /// CTA (32 bits).
  Bits address_of(MatrixPosition) const;
  /// The number of elements that lie one behind the other in a line from each multiple of it on.
  unsigned adjacent() const { return is_k_major_ ? unit_bytes * 8 / element_bits_ : 1; }
  unsigned element_bits() const { return element_bits_; }

 private:
  static constexpr unsigned unit_bytes = 16;

  void read_swizzle(unsigned mode, Chapter);
  std::uint64_t offset_of(MatrixPosition) const;

  unsigned element_bits_;
  bool is_k_major_;
  Bits start_;                              // bytes, 32 bits
  std::uint64_t leading_ = 0, stride_ = 0;  // bytes
  unsigned row_bytes_ = 0;                  // of a swizzled pattern; 0: no swizzle
  unsigned pattern_rows_ = 8;
  unsigned mask_ = 0, shift_ = 0;  // address bits in the mask ^= those `shift` places above
};

}  // namespace ptxmc
