#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/compiler/refinement.hpp"
#include "src/kernel/module/launch.hpp"
#include "src/kernel/unfolding/final_states.hpp"
#include "src/litmus/litmus_test.hpp"

namespace ptxmc {

/// A file of a comparison: a litmus test or a launch.
struct ComparedSide {
  std::string file;
  cat::Model model;
  std::vector<std::string> names;           ///< of the observables
  std::vector<kernel::LaunchPlace> places;  ///< what says each of the names: a flag, a launch file
  std::shared_ptr<const LitmusTest> test;   ///< null for a launch
  std::shared_ptr<const kernel::Launch> launch;
  /// The launches to which executions point; filled by questions.
  std::shared_ptr<std::vector<kernel::LaunchStates>> kept =
      std::make_shared<std::vector<kernel::LaunchStates>>();
};

/// The test with this text, under a model; messages call it `name`. Throws InputError and Unsupported.
ComparedSide side_of_text(const std::string& text, const std::string& name, const cat::Model&);

/// Sets the names of both sides: those of `--observe`; or those of the launch files, `observe`; or, for two
/// tests, all that both have. Returns sentences about what is left out. Throws InputError.
std::vector<std::string> observe(ComparedSide& source, ComparedSide& target, const std::string& flag);

/// The observables of a test as terms. Throws InputError for a name that the test does not have.
std::vector<FinalTerm> observed_terms(const ComparedSide&);

/// The question whether a test has this outcome.
Question question_of(const ComparedSide&, const Outcome&);

/// The program with its questions. The side must outlive it.
ComparedProgram compared_program(const ComparedSide&, const DecideOptions&, Engine);

}  // namespace ptxmc
