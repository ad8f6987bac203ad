#pragma once

#include <string>
#include <vector>

#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

/// The explanation of an instruction by `ptxmc explain`.
struct InstructionExplanation {
  std::string spelling, section, versions, syntax;
  std::string missing;               ///< why the following are empty: there is no rule, or it needs a program
  std::vector<std::string> effects;  ///< the effects of the rule, a sentence each
  struct Result {
    std::string name;
    std::string term;    ///< as readable text
    std::string smtlib;  ///< a definition in SMT-LIB 2
  };
  std::vector<Result> results;
  std::vector<std::string> declarations;  ///< of the unknowns, in SMT-LIB 2
};

/// The spelling of the instruction may be in capitals. Throws InputError for text that is not an instruction.
InstructionExplanation explanation_of(const std::string& instruction);

/// The explanation as readable text. Without `is_full` long terms and their SMT-LIB text are shortened.
std::string explanation_text(const InstructionExplanation&, bool is_full);

}  // namespace ptxmc
