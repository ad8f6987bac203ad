#pragma once

#include <string>

#include "semantics/values/bits.hpp"

namespace ptxmc {

/// The state of an mbarrier object, a word of 64 bits: `phase 0, 2 pending, 512 bytes`. The phase is its
/// number modulo 8.
std::string mbarrier_text(const Bits& word);
/// What the current phase of an mbarrier object waits for: `1 arrival and 512 bytes`; `an expect_tx of 8
/// bytes` if 8 bytes more are complete than expected.
std::string pending_text(const Bits& word);

}  // namespace ptxmc
