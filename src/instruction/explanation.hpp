#pragma once

#include <string>
#include <vector>

#include "src/instruction/instruction_text.hpp"

namespace ptxmc {

/// What `ptxmc explain` says of an instruction.
struct InstructionExplanation {
  std::string spelling, section, versions, syntax;
  std::string missing;               ///< why the rest is empty: there is no rule, or it needs a program
  std::vector<std::string> effects;  ///< what the rule does to the world, a sentence each
  struct Result {
    std::string name;
    std::string term;    ///< for people
    std::string smtlib;  ///< a definition in SMT-LIB 2
  };
  std::vector<Result> results;
  std::vector<std::string> declarations;  ///< of the unknowns, in SMT-LIB 2
};

/// The spelling of the instruction may be in capitals. Throws InputError for text that is no instruction.
InstructionExplanation explanation_of(const std::string& instruction);

/// For people. Without `is_full` long terms are cut, and the SMT-LIB with them.
std::string explanation_text(const InstructionExplanation&, bool is_full);

}  // namespace ptxmc
