#pragma once

#include <optional>

#include "semantics/chapters/fragment_layout.hpp"
#include "semantics/chapters/matrix_arithmetic.hpp"
#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

/// How the lanes of a warp hold a matrix.
struct HeldMatrix {
  FragmentLayout layout;  ///< the rows of a B are its columns
  Type type;              ///< of an element
  unsigned item_bits = 32;
  unsigned register_bits = 32;
  unsigned first_register = 0;  ///< among the registers that a lane gives

  unsigned items_of_register() const { return register_bits / item_bits; }
};

/// The scales of § 9.7.14.3: the columns of A and the rows of B are divided into blocks, each with a scale.
/// The copy of a layout is the operand thread-id; its element (r, 0) is in the lane that has the scales of
/// row r of A, or of column r of B.
struct BlockScales {
  unsigned blocks = 1;
  bool is_ue4m3 = false;  ///< otherwise ue8m0
  FragmentLayout of_a, of_b;
};

/// What mma, mma.sp and wmma.mma compute: D = A · B + C.
struct MatrixProduct {
  MatrixArithmetic arithmetic = {};
  HeldMatrix a, b, c, d;
  std::optional<SparseChunks> sparse = {};
  std::optional<BlockScales> scales = {};
};

/// Of a form of mma, mma.sp or wmma.mma, made when first used.
const MatrixProduct& matrix_product(const Form&);

/// The rule of mma, mma.sp and wmma.mma: PTX ISA 8.7 § 9.7.14.4.5, § 9.7.14.5.14, § 9.7.14.6.3.
Results multiply_matrices(const Form&, const Operands&, Effects&);

/// How a form of mma, wmma or wgmma adds.
MatrixArithmetic matrix_arithmetic(const Form&);

/// How a lane holds a matrix as a fragment of such a form, and which elements of a sparse A it holds. Of a
/// wgmma each warp holds 16 rows of A and D.
HeldMatrix held_matrix(const Form&, char operand);
SparseChunks sparse_chunks(const Form&);

/// The fragment of operand 'a', 'b', 'c' or 'd' of wmma, which the manual leaves open: ours is that of mma.
/// Where a lane holds more items than the layout has, it holds the elements several times.
HeldMatrix wmma_fragment(const Form&, char operand);

/// `wmma.load`, `wmma.store`: PTX ISA 8.7 § 9.7.14.4.3, § 9.7.14.4.4.
Results load_fragment(const Form&, const Operands&, Effects&);
Results store_fragment(const Form&, const Operands&, Effects&);

}  // namespace ptxmc
