#pragma once

#include <span>
#include <string_view>

#include "semantics/modifier.hpp"
#include "semantics/notation.hpp"

namespace ptxmc {

/// A predefined, read-only register: PTX ISA 8.7 chapter 10.
struct SpecialRegister {
  std::string_view section;  ///< "10.1"
  std::string_view name;     ///< "%tid"
  Modifier type;
  unsigned elements = 1;  ///< `.v4`: 4
  unsigned count = 0;     ///< `%envreg<32>`: 32 registers with numbers after the name; 0: one without
  PtxVersion introduced = 10;
  std::uint16_t sm = 0;    ///< the target that it needs, at least
  unsigned narrowest = 0;  ///< bits that `mov` and `cvt` may read for old code's sake; 0: the type's
};

/// All of them, in the manual's order.
std::span<const SpecialRegister> special_registers();

}  // namespace ptxmc
