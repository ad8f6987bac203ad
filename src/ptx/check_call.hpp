#pragma once

#include <unordered_map>

#include "src/ptx/check_context.hpp"

namespace ptxmc::syntax {

/// What `call` and `brx.idx` may name in a function.
struct FunctionLabels {
  std::unordered_map<SymbolId, const Targets*> targets;
  std::unordered_map<SymbolId, const Prototype*> prototypes;
};

/// Checks a call against the signature of what it calls: PTX ISA 8.7 § 7.1, § 9.7.12.5.
void check_call(CheckContext&, const FunctionLabels&, const Instruction&);

/// Do `bra` and `brx.idx` name labels and tables of labels?
void check_branch(CheckContext&, const Instruction&);

}  // namespace ptxmc::syntax
