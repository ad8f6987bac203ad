#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"
#include "semantics/language/source_position.hpp"

namespace ptxmc {

struct Guard {
  RegisterId predicate;
  bool negated = false;
};

/// One instruction of a thread: its form, its operands and its position in the source.
struct Instruction {
  const Form* form = nullptr;     ///< owned by an InstructionSet, which must outlive all programs
  std::vector<Operand> operands;  ///< in the order of the syntax, including destinations
  std::optional<Guard> guard;
  SourcePosition where;
  std::string text;  ///< as written, for reports
};

/// The registers that an instruction writes, those in its address, and the others that it reads. The guard is
/// in none of them.
struct RegisterUse {
  std::vector<RegisterId> written;
  std::vector<RegisterId> address;
  std::vector<RegisterId> data;
};
RegisterUse register_use(const Instruction&);

/// The possible successors of an instruction.
struct ControlFlow {
  bool falls_through = true;    ///< to the next instruction; also if its guard is false
  std::vector<Target> targets;  ///< of its jumps
};
ControlFlow control_flow(const Instruction&);

/// Whether the instruction may have effects besides writing its results; true if it has no rule.
bool has_effects(const Instruction&);

/// Whether the instruction only takes time (`nanosleep`), so that the values of its operands have no effect.
bool only_waits(const Instruction&);

/// Runs the rule of an instruction whose guard holds: reads its operands from `registers`, performs effects,
/// writes its results to `registers`, unless they are pending (effects.hpp). Throws Unsupported if the form
/// is declared without a rule.
void execute(const Instruction&, std::vector<Bits>& registers, Effects&);

/// Writes the results of a rule to the destinations of its instruction.
void write_results(const Instruction&, const Results&, std::vector<Bits>& registers);

}  // namespace ptxmc
