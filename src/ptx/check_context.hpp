#pragma once

#include "semantics/language/instruction_set.hpp"
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
  std::string lack;  ///< what the module's version or target lacks for this form
};

/// The state of checking one module.
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

  /// Adds a symbol. If the scope has its name already, reports an error and keeps the earlier symbol.
  void declare(Scope&, Name&, Symbol);
  /// Resolves a name. Reports an undefined name and returns false.
  bool resolve(const Scope&, Name&);
  /// Reports an error if the module's version or target lacks a feature.
  void require(std::string_view part, std::string_view what, PtxVersion introduced, std::uint16_t sm = 0);
};

}  // namespace ptxmc::syntax
