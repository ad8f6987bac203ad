#include "semantics/chapters.hpp"
#include "semantics/instruction_set.hpp"

namespace ptxmc {

const InstructionSet& ptx() {
  static const InstructionSet set = [] {
    InstructionSet isa;
    for (const auto chapter :
         {integer_arithmetic(), extended_precision_arithmetic(), comparison_and_selection(),
          logic_and_shift(), data_movement(), loads_and_stores(), conversion(), control_flow_instructions(),
          barriers_and_fences(), atomics(), miscellaneous()})
      isa.define(chapter);
    return isa;
  }();
  return set;
}

}  // namespace ptxmc
