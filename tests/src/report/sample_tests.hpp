#pragma once

#include "solver/smt_engine/answers.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

FinalTerm constant(std::int64_t);
FinalTerm register_of(int thread, RegisterId);
FinalTerm memory_of(int variable, int element = 0);
Proposition compare(FinalTerm, FinalTerm, Proposition::Comparison = Proposition::Comparison::equal);
Proposition conjunction(std::vector<Proposition>);
Proposition disjunction(std::vector<Proposition>);
Proposition negation(Proposition);

/// Two threads with registers r0, r1 each; `x`, the unsigned array `a[3]`, and `cta0:s`; the condition
/// 1:r0=1 /\ 1:r1=0.
LitmusTest message_passing_test(Quantifier);

/// The three states (1:r0, 1:r1) that message passing with a release and an acquire has: it forbids
/// the condition.
Answer forbidden_answer();
/// All four, the last one found first; executions counted.
Answer allowed_answer();

}  // namespace ptxmc
