#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "solver/explorer/shared_tree.hpp"
#include "solver/launch/launch_properties.hpp"
#include "solver/smt_engine/answers.hpp"
#include "solver/smt_engine/raised_flags.hpp"
#include "solver/smt_engine/termination.hpp"

namespace ptxmc {

/// The engine that decides a question.
enum class Engine {
  automatic,  ///< the explorer as long as it makes progress, then the SMT engine
  explorer,
  smt,
  both,  ///< one after the other: they must agree
};

/// The engine with this name: "auto", "explorer", "smt", "both".
std::optional<Engine> find_engine(std::string_view name);

/// Thrown when the two engines give different answers, so that one of them is wrong.
struct Disagreement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Divides a time limit among successive computations. Time that one does not use is available to the next
/// ones.
class SharedTime {
 public:
  /// The options must outlive it.
  SharedTime(const DecideOptions&, unsigned parts);

  /// The options for the next computation, with its share of the remaining time.
  DecideOptions next();

 private:
  const DecideOptions& options_;
  unsigned parts_;
  std::chrono::steady_clock::time_point start_;
};

/// Decides with an engine. Throws Unsupported, and Disagreement under Engine::both.
Answer decide_with(Engine, const Program&, const Question&, const cat::Model&, const DecideOptions&);

/// The same about the final states of these candidates.
Answer decide_with(Engine, const CandidateExecutions&, const Question&, const cat::Model&,
                   const DecideOptions&, TermGraph&);

/// Explores one part of the executions of a program: see explore_part.
Answer decide_part(const Program&, const Question&, const cat::Model&, const DecideOptions&, const TreePart&);

/// Adds the states that one engine found before it gave up to those of another engine, unless the latter are
/// complete or nothing can be said about the program. A state that decides the condition sets the verdict.
void add_found(Answer&& kept, Answer& found);

/// The same for the question of `find_flags` and one flag. Empty if the model has no flag of this name.
std::optional<FlagFinding> find_flag_with(Engine, const Program&, const cat::Model&, const DecideOptions&,
                                          const std::string& name);

/// The same for the question of `decide_termination`.
Termination decide_termination_with(Engine, const Program&, const cat::Model&, const DecideOptions&,
                                    const Progress&);

/// Decides properties with an engine. For a launch of real size see kernel::check, which has more methods.
LaunchAnswer check_with(Engine, const LaunchQuestion&, const cat::Model&, const DecideOptions&, TermGraph&);

/// A sentence about a contradiction between two answers to one question; empty if there is none.
std::optional<std::string> contradiction(const Answer& explorer, const Answer& smt);

/// The same for two findings about one flag, and for two answers about termination.
std::optional<std::string> contradiction(const FlagFinding& explorer, const FlagFinding& smt);
std::optional<std::string> contradiction(const Termination& explorer, const Termination& smt);

/// The same for two answers about a launch: a property that one finds violated and the other excludes.
std::optional<std::string> contradiction(const LaunchAnswer& explorer, const LaunchAnswer& other);

}  // namespace ptxmc
