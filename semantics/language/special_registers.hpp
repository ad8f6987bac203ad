#pragma once

#include <span>
#include <string_view>

#include "semantics/language/modifier.hpp"
#include "semantics/language/notation.hpp"

namespace ptxmc {

/// A predefined, read-only register: PTX ISA 8.7 chapter 10.
struct SpecialRegister {
  std::string_view section;  ///< "10.1"
  std::string_view name;     ///< "%tid"
  Modifier type;
  unsigned elements = 1;  ///< `.v4`: 4
  unsigned count = 0;     ///< `%envreg<32>`: 32 numbered registers; 0: one register without a number
  PtxVersion introduced = 10;
  std::uint16_t sm = 0;  ///< the lowest target that has it
  /// The smallest width that `mov` and `cvt` may read (for old code); 0: only the type's width.
  unsigned narrowest = 0;
};

/// All of them, in the manual's order.
std::span<const SpecialRegister> special_registers();

}  // namespace ptxmc
