#pragma once

#include <optional>

#include "semantics/values/bits.hpp"
#include "semantics/values/float_format.hpp"

namespace ptxmc {

/// Random bits for `.rs`, which are added to the bits that are cut off, aligned with the highest of them.
using RandomBits = std::optional<Bits>;

/// `cvt` from f32, f16 or bf16 to a format with less precision and at most the same range, for example tf32
/// or a format of 4 to 8 bits: PTX ISA 8.7 § 9.7.9.21. It rounds in the given mode, or with random bits. A
/// number that is too large becomes the highest finite number if `satfinite` is set, if the format has no
/// infinity, or if the mode rounds to it; otherwise it becomes an infinity. NaN becomes the NaN of the
/// format, or its highest number if it has no NaN.
Bits round_to_format(FloatFormat to, FloatFormat from, Rounding, const RandomBits&, bool satfinite,
                     const Bits& a);

/// Rounds |a| to a scale (a power of 2), upward or toward zero. An infinity becomes NaN, or the highest scale
/// if `satfinite` is set.
Bits round_to_scale(FloatFormat from, Rounding, bool satfinite, const Bits& a);

/// From a format of 4 to 8 bits to f16; from a scale (ue8m0) to bf16. Exact.
Bits widen_to_f16(FloatFormat from, const Bits& a);
Bits widen_scale_to_bf16(const Bits& a);

}  // namespace ptxmc
