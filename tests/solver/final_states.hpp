#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "solver/encoding/final_state.hpp"
#include "solver/smt_engine/answers.hpp"
#include "tests/solver/all_executions.hpp"

namespace ptxmc::test {

/// By final state, as its shown numbers: how many of all executions have it.
using FinalStates = std::map<std::vector<std::int64_t>, std::uint64_t>;

/// The final states of these executions: of memory, the value of each write that no other write follows in
/// coherence order. Empty optional for programs that access parts of elements.
std::optional<FinalStates> final_states(const cat::Model&, const SmallProgram&, const AllExecutions&);

/// The numbers that one term has in these states.
std::optional<std::set<std::int64_t>> final_numbers(const cat::Model&, const SmallProgram&,
                                                    const AllExecutions&, const FinalTerm&);

/// Whether the model covers the program: no execution raises a flag after which its axioms do not hold.
bool is_covered(const cat::Model&, const AllExecutions&);

/// The options for an answer about as many iterations as all_executions has.
DecideOptions one_iteration_counted();

/// Compares an answer with all executions.
void check_answer(const Answer&, const cat::Model&, const EnumeratedProgram&, bool counts);

}  // namespace ptxmc::test
