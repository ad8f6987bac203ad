#pragma once

#include "src/ptx/check_call.hpp"
#include "src/ptx/check_context.hpp"
#include "src/ptx/counted_operands.hpp"

namespace ptxmc::syntax {

/// Checks the instructions of one function.
class InstructionChecker {
 public:
  explicit InstructionChecker(CheckContext& context) : context_(context) {}

  /// Adds labels that calls and branches may name; call it before checking these instructions.
  void add(const Targets& targets) { labels_.targets[targets.label.symbol] = &targets; }
  void add(const Prototype& prototype) { labels_.prototypes[prototype.label.symbol] = &prototype; }

  /// Resolves the names of an instruction, finds its form, and checks operands, version and target.
  void check(const Scope&, Instruction&);

 private:
  bool resolve(const Scope&, Instruction&);
  bool resolve(const Scope&, Operand&);
  bool resolve(const Scope&, std::vector<Operand>&);
  void check_guard(const Guard&);
  OperandShape shape_of(const CountedOperand&) const;
  OperandShape shape_of(const Operand&) const;
  OperandShape shape_of(const NameOperand&) const;
  bool check_unified(const Instruction&);
  bool find_form(Instruction&);
  const Operand* operand_named(const Instruction&, std::string_view) const;
  void check_sampler(const Instruction&);
  void check_sizes(const Instruction&);
  void report(const Instruction&, const Match&);

  CheckContext& context_;
  FunctionLabels labels_;
  std::vector<CountedOperand> operands_;  // of the current instruction
  std::vector<OperandShape> shapes_;
  bool is_mov_ = false;
};

}  // namespace ptxmc::syntax
