#pragma once

#include <optional>
#include <string>

#include "src/litmus/c_code.hpp"

namespace ptxmc {

Operand immediate(std::uint64_t value);

/// `[a]` of an address, which is a constant or a register.
Operand memory_operand(const Operand& address);

/// The type of the value of an object.
c_syntax::CType value_type(c_syntax::CType type);

/// Order and scope as an access or a fence names them: ".acquire.gpu". An atomic access at the scope of a
/// thread is an ordinary one: ".weak".
std::string strength_text(Sem order, Scope scope);

/// How an access is written behind its opcode: ".acquire.gpu.s32".
std::string suffix(const c_syntax::CType& type, Sem order, std::optional<Scope> scope);

}  // namespace ptxmc
