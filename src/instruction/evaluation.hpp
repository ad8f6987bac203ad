#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

/// One or more instructions that run one after the other on values given for their sources. They share the
/// carry flag, and, where their operands are written out, registers: a name that occurs again is the same
/// register. Inputs are the sources that no instruction before has written; the results are those of the
/// last.
class Evaluation {
 public:
  /// Throws Unsupported when an instruction has no rule or needs a program around it, and InputError, with
  /// `file`, when a name stands for registers of different sizes.
  Evaluation(const std::vector<ResolvedInstruction>&, const std::string& file);

  /// Bits of the source values, in order. A number of one is given in so many digits or fewer.
  const std::vector<unsigned>& source_widths() const { return source_widths_; }
  const std::vector<std::string>& source_names() const { return source_names_; }
  struct Result {
    std::string name;
    unsigned width;   ///< of the register that shows it: at least 16 bits, predicates 1
    bool may_be_nan;  ///< one floating-point number
    FloatFormat format;
  };
  const std::vector<Result>& results() const { return results_; }
  const Form& last_form() const { return *instructions_.back().form; }

  /// Runs the rules. The span is valid until the next call; terms give terms.
  /// Throws Unsupported when a rule touches the world: memory, other threads, a place to jump to.
  std::span<const Bits> run(std::span<const Bits> sources);
  std::span<const Bits> run(std::span<const Bits> sources, Effects&);

 private:
  struct Placed;  ///< an instruction that is being added
  void add(const Placed&);
  RegisterId add_register(unsigned width);
  RegisterId add_source(const Placed&, unsigned width, const std::string& name);
  ptxmc::Operand add_operand(const Placed&, const FormOperand&, const InstructionText::Operand&);
  ptxmc::Operand add_destination(const Placed&, const FormOperand&, const InstructionText::Operand&);

  std::vector<Instruction> instructions_;
  std::vector<Bits> registers_;
  std::vector<unsigned> source_widths_;
  std::vector<std::string> source_names_;
  std::vector<RegisterId> sources_, result_registers_;
  std::vector<Result> results_;
  std::vector<Bits> values_;
  RegisterId carry_ = 0;
  std::map<std::string, RegisterId> named_;  // registers of operands that are written out
};

/// Whether a result is NaN.
bool is_nan_result(const Evaluation::Result&, const Bits&);

}  // namespace ptxmc
