#pragma once

#include "src/generator/all_cycles.hpp"
#include "src/generator/model_difference.hpp"
#include "src/library/public.hpp"

namespace ptxmc {

/// The limits that the lists give. Throws InputError with the flag of the command line for a list.
generator::CycleLimits cycle_limits(const v1::CycleOptions&);

/// A test of a search, as the public header has it.
v1::SmallTest shown_test(const generator::SizedTest&);

}  // namespace ptxmc
