#pragma once

#include <span>

#include "semantics/language/form.hpp"
#include "semantics/language/operands.hpp"

namespace ptxmc {

// The chapters of PTX ISA 8.7 § 9.7, in its order. Each is declared in the file with its name.

std::span<const Definition> integer_arithmetic();             // § 9.7.1
std::span<const Definition> extended_precision_arithmetic();  // § 9.7.2
std::span<const Definition> floating_point();                 // § 9.7.3
std::span<const Definition> half_precision();                 // § 9.7.4, § 9.7.5
std::span<const Definition> comparison_and_selection();       // § 9.7.6
std::span<const Definition> half_precision_comparison();      // § 9.7.7
std::span<const Definition> logic_and_shift();                // § 9.7.8
std::span<const Definition> data_movement();          // § 9.7.9.3 to § 9.7.9.7, § 9.7.9.19 to § 9.7.9.24
std::span<const Definition> loads_and_stores();       // § 9.7.9.8 to § 9.7.9.13
std::span<const Definition> multimem_operations();    // § 9.7.9.14
std::span<const Definition> cache_control();          // § 9.7.9.15 to § 9.7.9.18
std::span<const Definition> conversion();             // § 9.7.9.21, § 9.7.9.22
std::span<const Definition> asynchronous_copies();    // § 9.7.9.25 except § 9.7.9.25.5
std::span<const Definition> tensor_copies();          // § 9.7.9.25.5, § 9.7.9.26, § 9.7.13.16
std::span<const Definition> textures_and_surfaces();  // § 9.7.10, § 9.7.11
std::span<const Definition> control_flow_instructions();        // § 9.7.12
std::span<const Definition> barriers_and_fences();              // § 9.7.13.1 to § 9.7.13.4
std::span<const Definition> atomics();                          // § 9.7.13.5, § 9.7.13.6
std::span<const Definition> warp_communication();               // § 9.7.13.8 to § 9.7.13.14
std::span<const Definition> mbarriers();                        // § 9.7.13.7, § 9.7.13.15, § 9.7.13.17, § 9.7.13.18
std::span<const Definition> warp_matrices();                    // § 9.7.14.4, § 9.7.14.5
std::span<const Definition> warp_matrix_multiplication();       // § 9.7.14.5.14, § 9.7.14.6.3
std::span<const Definition> warpgroup_matrix_multiplication();  // § 9.7.15
std::span<const Definition> tensor_cores();                     // § 9.7.16
std::span<const Definition> stack_manipulation();               // § 9.7.17
std::span<const Definition> video();                            // § 9.7.18
std::span<const Definition> miscellaneous();                    // § 9.7.19

}  // namespace ptxmc
