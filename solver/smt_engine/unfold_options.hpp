#pragma once

#include "model/program/proposition.hpp"
#include "solver/encoding/final_memory.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/unfolding/unfold.hpp"

namespace ptxmc {

/// Options to unfold a program for a decision under this model that shows these terms.
UnfoldOptions unfold_options(const Program&, const std::vector<FinalTerm>& shown, const cat::Model&,
                             const DecideOptions&);

/// The value of a FinalTerm in a final state of the unfolded program: 64 bits, sign- or zero-extended
/// according to its variable. Throws Unsupported for memory of unknown content that no thread accesses.
Bits final_value(const FinalTerm&, const EventStructure&, FinalMemory&);

}  // namespace ptxmc
