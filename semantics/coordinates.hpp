#pragma once

#include <string_view>

#include "semantics/form.hpp"

namespace ptxmc {

/// How long the vectors of coordinates are: those of a texture, a surface or a tensor, their offsets, and the
/// partial derivatives of `tex.grad`.
struct CoordinateCount {
  unsigned registers = 0;      ///< 1: a scalar as well; 0: the operand holds no coordinates
  bool may_have_more = false;  ///< what a longer vector holds besides is ignored
};

/// Of an operand of an instruction; `c` and `b` where they stand in brackets only.
/// PTX ISA 8.7 § 9.7.9.25.5.2 (cp.async.bulk.tensor), § 9.7.10.3 (tex), § 9.7.10.4 (tld4), § 9.7.11
/// (surfaces).
CoordinateCount coordinate_count(const Form&, const OperandPattern&);

}  // namespace ptxmc
