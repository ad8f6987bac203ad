#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/decide.hpp"
#include "solver/engine.hpp"
#include "solver/termination.hpp"
#include "src/litmus/litmus_test.hpp"
#include "src/report/drawing.hpp"

namespace ptxmc {

/// What is asked of a litmus test.
enum class LitmusProperty { condition, race, termination };

/// The answer to one question; `Answer::verdict` is allowed when the condition can be satisfied, a race can
/// happen, a thread can fail to end, and `Answer::holds` the opposite for the latter two.
struct PropertyAnswer {
  Answer answer;
  std::vector<std::string> findings = {};         ///< sentences about the witness of a race or a hang
  std::vector<HighlightedEdge> highlighted = {};  ///< in the witness: what races, what never ends
};

/// Throws Unsupported, and Disagreement under Engine::both.
PropertyAnswer decide_property(const LitmusTest&, const cat::Model&, const DecideOptions&, LitmusProperty,
                               const Progress&, Engine = Engine::automatic);

/// "allowed", "race", "no race", "hangs", "terminates", "unknown".
std::string property_word(LitmusProperty, Verdict);

/// What the property asks whether there is: "condition", "race", "hang".
std::string property_name(LitmusProperty);

/// The answer to a property other than the condition as text, in lines like those of herd's form.
std::string property_text(const LitmusTest&, LitmusProperty, const PropertyAnswer&);

}  // namespace ptxmc
