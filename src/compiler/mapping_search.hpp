#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "solver/engine/engine.hpp"
#include "src/compiler/mapping.hpp"
#include "src/compiler/pair_reduction.hpp"
#include "src/compiler/program_shapes.hpp"
#include "src/compiler/small_program.hpp"

namespace ptxmc {

/// The question whether mappings compile small programs correctly.
struct MappingQuestion {
  /// Several: code of several compilers that was linked together. Each operation is compiled by any of them.
  std::vector<Mapping> mappings;
  Scope scope = Scope::gpu;
  cat::Model source_model, target_model;
  std::function<DecideOptions()> options;  ///< for the next run of an engine
  Engine engine = Engine::automatic;
};

/// What holds of all programs of a shape.
struct ShapeAnswer {
  std::optional<PairTexts> counterexample;  ///< of which the target has an outcome that the source forbids
  std::uint64_t programs = 0;               ///< up to symmetry
  std::uint64_t runs = 0;                   ///< of an engine
  std::string unknown;                      ///< why some programs are not decided; empty: all are
};

/// Compares all programs of a shape with what they become: every assignment of orders to the accesses and of
/// fences to the places between them, and of a mapping to each of these.
///
/// Not every program needs an engine. A stronger order never adds an outcome to the source, and code that is
/// at least as strong (is_weaker_or_equal) never adds one to the target. Therefore a program needs no
/// comparison if a program below it, with weaker orders and weaker code, has no difference and either the
/// same source outcomes, or a target with no outcome that is forbidden under seq_cst.
ShapeAnswer check_shape(const ProgramShape&, const MappingQuestion&, SmallPrograms&);

/// The choices of an operation of a kind by the rules of the mappings. For a fence, the first is none.
std::vector<OperationChoice> choices_of(OperationKind, const MappingQuestion&);

/// The outcomes of a program: the values of its observables. Empty with `reason` set: not all are known.
struct SmallOutcomes {
  std::vector<std::vector<std::int64_t>> values;  ///< sorted
  std::string reason;
};
SmallOutcomes outcomes_of(const ObservedProgram&, const cat::Model&, const MappingQuestion&);

}  // namespace ptxmc
