#pragma once

#include <optional>

#include "semantics/bits.hpp"
#include "semantics/float_format.hpp"

namespace ptxmc {

/// Random bits for `.rs`: added to the digits that are cut off, aligned at their top.
using RandomBits = std::optional<Bits>;

/// `cvt` from f32, f16 or bf16 to a format of less precision and no more range, tf32 and those of 4 to 8 bits
/// among them: PTX ISA 8.7 § 9.7.9.21. Rounds in any mode, or as random bits say. A number too large becomes
/// the highest finite one with `satfinite`, or where the format or the mode has nothing else, otherwise an
/// infinity. NaN becomes the NaN of the format, or its highest number if it has none.
Bits round_to_format(FloatFormat to, FloatFormat from, Rounding, const RandomBits&, bool satfinite,
                     const Bits& a);

/// The scale next to |a|, a power of 2: rounding upward or toward zero. An infinity is NaN, with `satfinite`
/// the highest scale.
Bits round_to_scale(FloatFormat from, Rounding, bool satfinite, const Bits& a);

/// From a format of 4 to 8 bits to f16; from a scale (ue8m0) to bf16. Exact.
Bits widen_to_f16(FloatFormat from, const Bits& a);
Bits widen_scale_to_bf16(const Bits& a);

}  // namespace ptxmc
