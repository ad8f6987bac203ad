#pragma once

#include "model/proposition.hpp"
#include "solver/decide.hpp"
#include "solver/final_memory.hpp"
#include "solver/unfold.hpp"

namespace ptxmc {

/// How to unfold a program of which these terms are shown, to be decided under this model.
UnfoldOptions unfold_options(const Program&, const std::vector<FinalTerm>& shown, const cat::Model&,
                             const DecideOptions&);

/// The value of a term in a final state of the unfolded program, 64 bits, extended as its variable says.
Bits final_value(const FinalTerm&, const Program&, const EventStructure&, FinalMemory&);

}  // namespace ptxmc
