#pragma once

#include <span>

#include "semantics/form.hpp"

namespace ptxmc {

// The chapters of PTX ISA 8.7 § 9.7, in its order. Each is declared in the file of its name.

std::span<const Definition> integer_arithmetic();             // § 9.7.1
std::span<const Definition> extended_precision_arithmetic();  // § 9.7.2

}  // namespace ptxmc
