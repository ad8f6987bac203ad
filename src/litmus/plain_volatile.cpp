#include "src/litmus/plain_volatile.hpp"

#include <stdexcept>

#include "semantics/language/form.hpp"
#include "src/litmus/c_instructions.hpp"

namespace ptxmc {

LitmusTest with_plain_volatile(LitmusTest test) {
  if (test.language != Language::cpp) return test;
  constexpr std::string_view modifier = ".volatile";
  for (Thread& thread : test.program.threads)
    for (Instruction& instruction : thread.code) {
      std::string spelling = instruction.form->spelling;
      const std::size_t at = spelling.find(modifier);
      if (at == std::string::npos) continue;
      std::vector<OperandShape> shapes;
      for (const Operand& operand : instruction.operands) shapes.push_back(shape_of(operand));
      const Match match = cpp_instructions().match(spelling.replace(at, modifier.size(), ".weak"), shapes);
      if (!match) throw std::logic_error(spelling + ": " + match.error);
      instruction.form = match.form;
    }
  return test;
}

}  // namespace ptxmc
