#pragma once

#include <unordered_map>

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// The lists of targets and prototypes that `call` and `brx.idx` may name in a function.
struct FunctionLabels {
  std::unordered_map<SymbolId, const Targets*> targets;
  std::unordered_map<SymbolId, const Prototype*> prototypes;
};

/// Checks a call against the signature of the called function: PTX ISA 8.7 § 7.1, § 9.7.12.5.
void check_call(CheckContext&, const FunctionLabels&, const Instruction&);

/// Checks that `bra` and `brx.idx` name labels and tables of labels.
void check_branch(CheckContext&, const Instruction&);

}  // namespace ptxmc::syntax
