#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/smt_engine/termination.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/drawing.hpp"

namespace ptxmc {

/// The property of a litmus test that is decided.
enum class LitmusProperty { condition, race, termination };

/// The answer for one property. `Answer::verdict` is `allowed` if the condition can be satisfied, a race can
/// happen, or a thread may never end. For races and termination `Answer::holds` is the opposite.
struct PropertyAnswer {
  Answer answer;
  std::vector<std::string> findings = {};  ///< sentences about the witness of a race or a hang
  std::vector<HighlightedEdge> highlighted =
      {};  ///< in the witness: accesses that race, events that never end
};

/// Throws Unsupported, and with Engine::both Disagreement.
PropertyAnswer decide_property(const LitmusTest&, const cat::Model&, const DecideOptions&, LitmusProperty,
                               const Progress&, Engine = Engine::automatic);

/// "allowed", "race", "no race", "hangs", "terminates", "unknown".
std::string property_word(LitmusProperty, Verdict);

/// The thing whose existence the property is about: "condition", "race", "hang".
std::string property_name(LitmusProperty);

/// The answer to a property other than the condition as text, in lines like those of herd's form.
std::string property_text(const LitmusTest&, LitmusProperty, const PropertyAnswer&);

}  // namespace ptxmc
