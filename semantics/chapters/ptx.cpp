#include "semantics/language/chapters.hpp"
#include "semantics/language/instruction_set.hpp"

namespace ptxmc {

const InstructionSet& ptx() {
  static const InstructionSet set = [] {
    InstructionSet isa;
    for (const auto chapter : {integer_arithmetic(),
                               extended_precision_arithmetic(),
                               floating_point(),
                               half_precision(),
                               comparison_and_selection(),
                               half_precision_comparison(),
                               logic_and_shift(),
                               data_movement(),
                               loads_and_stores(),
                               multimem_operations(),
                               cache_control(),
                               conversion(),
                               asynchronous_copies(),
                               tensor_copies(),
                               textures_and_surfaces(),
                               control_flow_instructions(),
                               barriers_and_fences(),
                               atomics(),
                               warp_communication(),
                               mbarriers(),
                               warp_matrices(),
                               warp_matrix_multiplication(),
                               warpgroup_matrix_multiplication(),
                               tensor_cores(),
                               stack_manipulation(),
                               video(),
                               miscellaneous()})
      isa.define(chapter);
    return isa;
  }();
  return set;
}

}  // namespace ptxmc
