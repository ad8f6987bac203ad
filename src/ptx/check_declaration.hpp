#pragma once

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// The context of a declaration.
enum class Place : std::uint8_t {
  module,
  body,
  entry_parameter,
  function_parameter,
  function_return,
  prototype,  ///< a parameter of it
  prototype_return
};

/// Checks a declaration and declares its names: PTX ISA 8.7 § 5.1 to § 5.4.
void check_declaration(CheckContext&, Scope&, Declaration&, Place);

/// Checks and declares parameters or return values; those of prototypes are only checked. The last parameter
/// of a function may be an open array: PTX ISA 8.7 § 11.2.2.
void check_parameters(CheckContext&, Scope&, std::vector<Declaration>&, Place);

/// Return values of a function or a prototype, whose name or label reports are about: how many there may be,
/// and each of them.
void check_returns(CheckContext&, Scope&, std::vector<Declaration>&, Place, std::string_view name);

/// `.attribute` of a variable or function: PTX ISA 8.7 § 5.4.8.
void check_attributes(CheckContext&, const std::vector<Attribute>&, bool of_function, Space);

/// Checks an initializer against the dimensions of its variable, vector elements included, and resolves the
/// names in it: PTX ISA 8.7 § 5.4.4. Returns the number of elements of the first dimension.
std::uint64_t check_initializer(CheckContext&, const Scope&, Initializer&, const Declaration&,
                                std::vector<Dimension> dimensions);

}  // namespace ptxmc::syntax
