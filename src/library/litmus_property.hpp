#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/smt_engine/termination.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/drawing.hpp"

namespace ptxmc {

/// The reason of an answer about a test in which some execution uses a barrier or an mbarrier in an undefined
/// way.
inline constexpr char undefined_use_reason[] = "undefined use of a barrier or mbarrier";

/// The answer for one property. `Answer::verdict` is `allowed` if the condition can be satisfied, or some
/// execution has the fault. For faults `Answer::holds` is the opposite.
struct PropertyAnswer {
  Answer answer;
  std::vector<std::string> findings = {};  ///< sentences about the witness of a fault
  std::vector<HighlightedEdge> highlighted =
      {};  ///< in the witness: accesses that race, events that never end
};

/// Throws Unsupported, and with Engine::both Disagreement.
PropertyAnswer decide_property(const LitmusTest&, const cat::Model&, const DecideOptions&, LitmusProperty,
                               const Progress&, Engine = Engine::automatic);

/// Decides the condition for one part of the executions, by the explorer. What concerns all
/// executions, such as undefined behaviour, is decided for the whole test. Throws Unsupported.
PropertyAnswer decide_part(const LitmusTest&, const cat::Model&, const DecideOptions&, const TreePart&);

/// The pairs of instructions that are in a data race in some execution, one for each pair of lines; empty if
/// not all are known. Throws Unsupported, and with Engine::both Disagreement.
std::optional<std::vector<std::pair<SourcePosition, SourcePosition>>> racing_instructions(
    const LitmusTest&, const cat::Model&, const DecideOptions&, Engine = Engine::automatic);

/// The answer to a test that was not decided within the limits.
PropertyAnswer unknown_answer(const LitmusTest&, LitmusProperty, const std::string& reason, double seconds);

/// "allowed", "race", "no race", "hangs", "terminates", …, "unknown".
std::string property_word(LitmusProperty, Verdict);

/// The answer to a property other than the condition as text, in lines like those of herd's form.
std::string property_text(const LitmusTest&, LitmusProperty, const PropertyAnswer&);

}  // namespace ptxmc
