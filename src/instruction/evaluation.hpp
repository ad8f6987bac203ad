#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semantics/language/instruction.hpp"
#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

/// One or more instructions that run one after the other on given source values. They share the carry flag.
/// With written operands they share registers too: the same name is the same register. The inputs are the
/// sources that no earlier instruction has written; the results are those of the last instruction.
class Evaluation {
 public:
  /// Throws Unsupported if an instruction has no rule or needs a surrounding program, and InputError, with
  /// `file`, if one name is used for registers of different sizes.
  Evaluation(const std::vector<ResolvedInstruction>&, const std::string& file);

  /// From here on all lanes of a warp run the instructions together. The sources are those of the lanes, one
  /// lane behind the other, and so are the results.
  void spread_over_warp();

  /// The widths of the source values in bits, in order.
  const std::vector<unsigned>& source_widths() const { return source_widths_; }
  const std::vector<std::string>& source_names() const { return source_names_; }
  struct Result {
    std::string name;
    unsigned width;   ///< bits of its register: at least 16, for predicates 1
    bool may_be_nan;  ///< it is one floating-point number
    FloatFormat format;
  };
  const std::vector<Result>& results() const { return results_; }
  const Form& last_form() const { return *instructions_.back().form; }

  /// Runs the rules; sources that are terms give results that are terms. The span is valid until the next
  /// call. Throws Unsupported if a rule has an effect: on memory, on other threads, a jump.
  std::span<const Bits> run(std::span<const Bits> sources);
  std::span<const Bits> run(std::span<const Bits> sources, Effects&);

 private:
  struct Placed;  ///< an instruction while it is added
  void add(const Placed&);
  RegisterId add_register(unsigned width);
  RegisterId add_source(const Placed&, unsigned width, const std::string& name);
  ptxmc::Operand add_operand(const Placed&, const FormOperand&, const InstructionText::Operand&);
  ptxmc::Operand add_destination(const Placed&, const FormOperand&, const InstructionText::Operand&);

  void run_in_warp(std::span<const Bits> sources);

  std::vector<Instruction> instructions_;
  std::vector<Bits> registers_;
  bool is_warp_ = false;
  std::vector<unsigned> source_widths_;
  std::vector<std::string> source_names_;
  std::vector<RegisterId> sources_, result_registers_;
  std::vector<Result> results_;
  std::vector<Bits> values_;
  RegisterId carry_ = 0;
  std::map<std::string, RegisterId> named_;  // registers of written operands
};

/// Whether a result is NaN.
bool is_nan_result(const Evaluation::Result&, const Bits&);

}  // namespace ptxmc
