#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/ptx/syntax.hpp"

namespace ptxmc::kernel {

/// Bytes of a parameter that instructions use together, and for what.
struct UsedPart {
  enum class Kind : std::uint8_t {
    number,
    address,  ///< loads, stores, atomics or copies compute their address from it
    texture,  ///< the handle of a texture, and so on
    surface,
    sampler,
    tensor_map,  ///< the bytes are a tensor map
  };
  std::uint64_t offset = 0;  ///< in the parameter
  std::uint32_t bytes = 0;
  Kind kind = Kind::number;
  /// As launch files name types, `f32`: that of a number, of the elements at an address, or of the channels
  /// of a texture or surface. Empty if no instruction tells.
  std::string type = {};
  unsigned dimensions = 0, channels = 1;  ///< of a texture or surface
  bool is_layered = false, is_cube = false;
};

/// A parameter of a kernel, and the parts of it that the code uses, by offset.
struct ParameterUse {
  syntax::SymbolId parameter = syntax::no_symbol;
  std::vector<UsedPart> parts;
};

/// How a kernel and the functions that it calls directly use the parameters of the kernel, in order. Values
/// are followed through registers, address arithmetic and calls, without their order and conditions, but not
/// through memory. So a result is a guess: a number that is added to a pointer may be taken for an address.
std::vector<ParameterUse> parameter_uses(const syntax::Module&, const syntax::Function& entry);

/// The name that launch files have for numbers of a type of PTX: `.s32` is `s32`, `.b32` is `u32`; for other
/// types numbers of the same size, or bytes.
std::string number_type(Modifier type);

}  // namespace ptxmc::kernel
