#pragma once

#include <string_view>

#include "semantics/language/form.hpp"

namespace ptxmc {

/// M, N and K of an instruction on matrices; 0 where its shape has none.
struct MatrixShape {
  unsigned m = 0, n = 0, k = 0;
};
MatrixShape matrix_shape(const Form&);

/// The rows of a result that one warp of a warpgroup holds: PTX ISA 8.7 § 9.7.15.5.
constexpr unsigned rows_of_warp = 16;

/// The type of the elements of operand 'a', 'b', 'c' or 'd' of mma, mma.sp or wmma, or of the matrix 'r' that
/// wmma moves.
Modifier matrix_type(const Form&, char operand);

/// The operand, 'a' to 'd', whose fragment wmma.load or wmma.store moves.
char moved_matrix(const Form&);

/// The bits that an element of such a matrix takes in a register: PTX ISA 8.7 § 9.7.14.5.
unsigned held_bits(const Form&, Modifier type);

bool is_sparse(const Form&);  ///< mma.sp: half of the elements of A are held

/// The number of registers of a matrix fragment that one thread holds, for the operands `d`, `a`, `b`, `c` of
/// mma, mma.sp, wmma and wgmma, and for `r` of the instructions that move matrices. 0 if the operand is not a
/// fragment. PTX ISA 8.7 § 9.7.14.4.1, § 9.7.14.5, § 9.7.14.6.2, § 9.7.15.5, § 9.7.16.7.
unsigned fragment_registers(const Form&, std::string_view operand);

}  // namespace ptxmc
