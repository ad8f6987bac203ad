#pragma once

#include <string_view>

#include "semantics/language/form.hpp"

namespace ptxmc {

/// The length of a vector of coordinates: of a texture, a surface or a tensor, of offsets, or of the partial
/// derivatives of `tex.grad`.
struct CoordinateCount {
  unsigned registers = 0;      ///< 1: a scalar is allowed too; 0: the operand holds no coordinates
  bool may_have_more = false;  ///< a longer vector is allowed, and its further elements are ignored
};

/// The number of coordinates of an operand. `c` and `b` hold coordinates only inside brackets. PTX ISA 8.7 §
/// 9.7.9.25.5.2 (cp.async.bulk.tensor), § 9.7.10.3 (tex), § 9.7.10.4 (tld4), § 9.7.11 (surfaces).
CoordinateCount coordinate_count(const Form&, const OperandPattern&);

}  // namespace ptxmc
