#pragma once

#include <functional>

#include "semantics/language/instruction.hpp"
#include "semantics/language/special_registers.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// The address of a variable or function in its state space.
using AddressOf = std::function<std::uint64_t(SymbolId)>;

/// A register of a function: `%r7`, one element of a vector, `%tid.x`, or the carry flag.
struct LoweredRegister {
  std::string name;
  unsigned width = 0;                        ///< bits; predicates have 1
  SymbolId symbol = no_symbol;               ///< none: the carry flag
  const SpecialRegister* special = nullptr;  ///< the engine must initialise it
  unsigned element = 0;                      ///< of a vector: `%tid.y` is 1
  std::uint32_t index = 0;                   ///< of `%envreg<32>`
};

/// An argument or result of a call, or a parameter or return value of a function: PTX ISA 8.7 § 7.1. It is in
/// registers, in a variable, or a number; if none of these, it is `_`.
struct PassedValue {
  std::vector<RegisterId> registers;     ///< in .reg; for a vector all its elements
  std::optional<std::uint64_t> address;  ///< in .param: the address of the variable
  std::optional<Constant> number;
  Type type;               ///< of the scalar or of the elements
  std::uint64_t size = 0;  ///< bytes; 0: an array without a size, or a number
};

/// A call, whose operands are not operands of semantics/language/instruction.hpp.
struct LoweredCall {
  ptxmc::Target at = 0;  ///< index in the code
  SymbolId function = no_symbol;
  std::optional<RegisterId> pointer;  ///< in place of `function`: a register with the address of the function
  std::vector<PassedValue> returns, arguments;
};

/// The body of a function as code for engines. Registers are those that it uses, in order of first use.
struct LoweredFunction {
  std::vector<ptxmc::Instruction> code;  ///< a target equal to its size is the end
  std::vector<LinePosition> lines;       ///< of the source, by `.loc`, for each instruction; file 0: unknown
  std::vector<LoweredRegister> registers;
  std::vector<LoweredCall> calls;
  std::vector<PassedValue> returns, parameters;  ///< of functions; empty for entries
};

/// Lowers a function with a body of a checked module. Throws Unsupported for constructs that instructions of
/// semantics/ do not have: an array indexed by a register.
LoweredFunction lower(const Module&, const Function&, const AddressOf&);

/// Converts a constant to a type: PTX ISA 8.7 § 4.5.
Bits value_of(const Constant&, const Type&);

}  // namespace ptxmc::syntax
