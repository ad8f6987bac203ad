#pragma once

#include "semantics/instruction_set.hpp"
#include "src/ptx/capabilities.hpp"
#include "src/ptx/diagnostics.hpp"
#include "src/ptx/scope.hpp"
#include "src/ptx/syntax.hpp"

namespace ptxmc::syntax {

/// A form found for a mnemonic with operands of these shapes.
struct KnownForm {
  std::vector<OperandShape> shapes;
  bool is_unified = false;  ///< `[a].unified`
  const Form* form = nullptr;
  std::string lack;  ///< what the module's version or target lacks for it
};

/// What checking one module works with.
struct CheckContext {
  Module& module;
  const InstructionSet& instructions;
  Diagnostics& diagnostics;
  Capabilities capabilities;
  bool has_independent_samplers = false;              ///< `.target texmode_independent`: § 9.7.10.1
  std::vector<std::vector<KnownForm>> known_forms{};  ///< by mnemonic

  void error(std::string_view part, std::string message) {
    diagnostics.error(module.position(part), std::move(message));
  }
  const Symbol& symbol(const Name& name) const { return module.symbols[name.symbol]; }
  unsigned address_bits() const { return module.address_size.value_or(32); }

  /// Adds a symbol; reports and keeps the first when the scope has its name already.
  void declare(Scope&, Name&, Symbol);
  /// Reports a name that stands for nothing; false then.
  bool resolve(const Scope&, Name&);
  /// Reports what the module's version or target lack.
  void require(std::string_view part, std::string_view what, PtxVersion introduced, std::uint16_t sm = 0);
};

}  // namespace ptxmc::syntax
