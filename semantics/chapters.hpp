#pragma once

#include <span>

#include "semantics/form.hpp"

namespace ptxmc {

// The chapters of PTX ISA 8.7 § 9.7, in its order. Each is declared in the file of its name.

std::span<const Definition> integer_arithmetic();             // § 9.7.1
std::span<const Definition> extended_precision_arithmetic();  // § 9.7.2
std::span<const Definition> comparison_and_selection();       // § 9.7.6
std::span<const Definition> logic_and_shift();                // § 9.7.8
std::span<const Definition> data_movement();                  // § 9.7.9.3 to § 9.7.9.7
std::span<const Definition> loads_and_stores();               // § 9.7.9.8 to § 9.7.9.11
std::span<const Definition> conversion();                     // § 9.7.9.21
std::span<const Definition> control_flow_instructions();      // § 9.7.12
std::span<const Definition> barriers_and_fences();            // § 9.7.13.1 to § 9.7.13.4
std::span<const Definition> atomics();                        // § 9.7.13.5, § 9.7.13.6
std::span<const Definition> miscellaneous();                  // § 9.7.19

}  // namespace ptxmc
