#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/program/execution.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// The values of the observables at the end of an execution.
using Outcome = std::vector<std::int64_t>;

/// The outcomes of a program.
struct ObservedOutcomes {
  std::vector<Outcome> values;
  std::vector<const Execution*> executions;  ///< one for each outcome; the asker keeps them alive
  std::vector<unsigned> widths;              ///< of the observables, in bits
  bool is_complete = false;
  std::string reason;    ///< why they are not complete: "loop bound 2", "timeout", …
  bool is_void = false;  ///< nothing is known about the program: a mixed-size race, an undefined use
  std::string note;      ///< under which assumption these are the outcomes; empty: none
};

/// Whether some execution of a program does something: race, wait for ever, fail an assertion.
struct Fact {
  Verdict holds = Verdict::unknown;
  std::string text;  ///< what it does: "P1 waits for ever at line 4", or why it is unknown
};

/// A program of a comparison. Its questions are asked when the answers are needed.
struct ComparedProgram {
  std::function<ObservedOutcomes(unsigned bound)> outcomes;
  std::function<Verdict(const Outcome&)> allows;  ///< this outcome
  std::function<Fact()> waits_for_ever;           ///< under fair scheduling
  std::function<Fact()> fails;                    ///< an assertion, a trap, a stray access
  /// A data race. For a source of C++ it is undefined behaviour.
  std::function<Fact()> races;
  bool is_undefined_by_races = false;
};

struct RefinementOptions {
  unsigned bound = DecideOptions{}.bound;  ///< of loops of the target, and of the source at first
  bool ignores_races = false;              ///< compares although the source is undefined
};

/// Whether every behaviour of the target is one of the source.
struct Refinement {
  Verdict differs = Verdict::unknown;  ///< allowed: differs, forbidden: refines
  bool is_vacuous = false;             ///< refines since the source is undefined
  std::string reason;                  ///< of vacuous, unknown, and of a difference that is no outcome
  ObservedOutcomes source, target;
  std::vector<std::size_t> extra;      ///< outcomes of the target that the source forbids: indices
  std::optional<std::size_t> missing;  ///< number of outcomes that the target lost; empty: not known
  std::vector<Outcome> lost;           ///< these outcomes
  std::vector<std::string> notes;
};

/// Decides refinement clause by clause: undefined behaviour of the source, outcomes, failures, termination.
/// A difference in one clause decides, even if another is unknown.
Refinement decide_refinement(const ComparedProgram& source, const ComparedProgram& target,
                             const RefinementOptions&);

}  // namespace ptxmc
