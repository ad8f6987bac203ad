#include "semantics/chapters.hpp"
#include "semantics/instruction_set.hpp"

namespace ptxmc {

const InstructionSet& ptx() {
  static const InstructionSet set = [] {
    InstructionSet isa;
    for (const auto chapter : {integer_arithmetic(), extended_precision_arithmetic()}) isa.define(chapter);
    return isa;
  }();
  return set;
}

}  // namespace ptxmc
