#pragma once

#include <cstdint>
#include <optional>

#include "semantics/chapters/matrix_arithmetic.hpp"
#include "semantics/language/form.hpp"

namespace ptxmc {

/// `.kind` of tcgen05.mma: PTX ISA 8.7 § 9.7.16.9.
enum class TensorKind : std::uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
TensorKind tensor_kind(const Form&);

/// What the instruction descriptor of a tcgen05.mma says: PTX ISA 8.7 § 9.7.16.3.2.
struct InstructionDescriptor {
  unsigned m = 0, n = 0, k = 0;  ///< K follows from the kind, and whether A is sparse
  Type a, b, d;                  ///< types of elements
  bool is_sparse = false, saturates = false;
  bool negates_a = false, negates_b = false, transposes_a = false, transposes_b = false;
  unsigned sparsity = 0;              ///< the sparsity selector
  unsigned scale_a = 0, scale_b = 0;  ///< the IDs of the scale factors
  bool has_ue8m0 = false;             ///< scale factors are of ue8m0, not ue4m3
};

/// Throws UnhandledEffect for a descriptor that the kind does not have.
InstructionDescriptor read_instruction_descriptor(const Form&, std::uint32_t bits);

}  // namespace ptxmc
