#pragma once

#include <optional>
#include <span>
#include <vector>

#include "semantics/chapters/fragment_layout.hpp"
#include "semantics/language/form.hpp"
#include "semantics/values/sum_of_products.hpp"

namespace ptxmc {

// The arithmetic of products of matrices: PTX ISA 8.7 § 9.7.14.5.14, § 9.7.15.5.2, § 9.7.16.9.

/// Which elements of a sparse A are held: PTX ISA 8.7 § 9.7.14.6.1. Half of the columns of a chunk are; four
/// bits of metadata say which.
struct SparseChunks {
  unsigned columns = 4;  ///< of a chunk
  unsigned unit = 1;     ///< consecutive columns that one index names
  bool is_ordered = false;
  /// Of metadata, in units of four bits: the element in row r and column c is the metadata of chunk c of the
  /// row. The copy is the sparsity selector.
  FragmentLayout metadata;

  /// Adds which units of its chunk the stored elements of a chunk are, given its four bits of metadata.
  /// Returns whether (width 1) the metadata is not one that the manual allows.
  Bits add_indices(const Bits& metadata, std::vector<Bits>& indices) const;
  /// The elements of a column of B that the stored elements of a row meet, by the indices of the row.
  std::vector<Bits> selected(std::span<const Bits> indices, std::span<const Bits> column) const;
};

/// How the products of a row of A and a column of B are added to an element of C.
struct MatrixArithmetic {
  enum class Kind : std::uint8_t { integers, bits, floats, doubles };
  Kind kind = Kind::floats;
  SumOfProducts floats = {};                   ///< floats: what the manual leaves open
  Rounding rounding = Rounding::nearest_even;  ///< doubles: of each step
  bool saturates = false;                      ///< the sum is clamped
  bool is_xor = false;                         ///< bits: not .and

  /// The number that an item holds, in the arithmetic of the product: of 32 or 64 bits, or of f64.
  /// § 9.7.14.5: an element of 4 bits that is held in 8 is in bits 5 to 2.
  Bits number(const Type&, const Bits& item) const;
  /// C + Σ a · b, of numbers: an element of D.
  Bits sum(const Bits& c, std::span<const Bits> a, std::span<const Bits> b) const;
};

/// Sums of products of elements of type `factor`, added to an element of type `c`; the format is that of `d`.
/// Numbers of 8 bits and less are taken as they are: some of their formats have hardly a number that is not
/// subnormal.
SumOfProducts floats_of(const Type& factor, const Type& c, const Type& d);

/// A number of f64 times −1.
Bits negated_number(const Bits&);

}  // namespace ptxmc
