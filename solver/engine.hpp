#pragma once

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "solver/decide.hpp"
#include "solver/flags.hpp"
#include "solver/launch_properties.hpp"
#include "solver/termination.hpp"

namespace ptxmc {

/// What decides a question.
enum class Engine {
  automatic,  ///< the explorer, while it gets ahead; then the SMT engine
  explorer,
  smt,
  both,  ///< one after the other: they must agree
};

/// By name: "auto", "explorer", "smt", "both".
std::optional<Engine> find_engine(std::string_view name);

/// The two engines say different things: one of them is wrong.
struct Disagreement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Divides a limit on time among computations that follow each other: what one leaves, the next ones have.
class SharedTime {
 public:
  /// The options outlive it.
  SharedTime(const DecideOptions&, unsigned parts);

  /// The options with the next computation's share of what is left.
  DecideOptions next();

 private:
  const DecideOptions& options_;
  unsigned parts_;
  std::chrono::steady_clock::time_point start_;
};

/// Decides with an engine. Throws Unsupported, and Disagreement under Engine::both.
Answer decide_with(Engine, const Program&, const Question&, const cat::Model&, const DecideOptions&);

/// Puts the states that an engine had found before it gave up to what another one has found, unless that is
/// all, or nothing can be said of the program. A state that decides the condition does so.
void add_found(Answer&& kept, Answer& found);

/// The same of the question of `find_flags`, for one flag. None: the model has none of this name.
std::optional<FlagFinding> find_flag_with(Engine, const Program&, const cat::Model&, const DecideOptions&,
                                          const std::string& name);

/// The same of the question of `decide_termination`.
Termination decide_termination_with(Engine, const Program&, const cat::Model&, const DecideOptions&,
                                    const Progress&);

/// What two answers to one question contradict each other in: a sentence; none: nothing.
std::optional<std::string> contradiction(const Answer& explorer, const Answer& smt);

/// The same of two findings about one flag, and of two answers about the ends of threads.
std::optional<std::string> contradiction(const FlagFinding& explorer, const FlagFinding& smt);
std::optional<std::string> contradiction(const Termination& explorer, const Termination& smt);

/// The same of two answers about a launch: a property that one has found violated and the other impossible.
std::optional<std::string> contradiction(const LaunchAnswer& explorer, const LaunchAnswer& other);

}  // namespace ptxmc
