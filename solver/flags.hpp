#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cat_model.hpp"
#include "model/execution.hpp"
#include "solver/decide.hpp"

namespace ptxmc {

/// The flag of the embedded models for races after which the axioms do not hold: PTX ISA 8.7 § 8.7.2.
inline constexpr char mixed_size_race[] = "mixed_size_data_race";

/// The reason why other answers are unknown after such a race.
inline constexpr char mixed_size_race_reason[] = "mixed-size data race";

/// Whether a flag marks programs that a model does not cover: `later_than_…`, `outside_…`, `undefined_…`.
bool is_beyond_model(std::string_view flag);

/// The finding about a `flag` line of a model for a program.
struct FlagFinding {
  std::string name;
  Verdict raised = Verdict::unknown;  ///< allowed: some execution raises it
  std::string reason;                 ///< why `raised` is unknown
  std::optional<Execution> witness;   ///< an execution that raises it
  std::string engine = "smt";         ///< the engine that decided
};

/// Looks for executions in which all threads end and which raise the flags with these names; all flags of
/// the model if there are none.
std::vector<FlagFinding> find_flags(const Program&, const cat::Model&, const DecideOptions&,
                                    const std::vector<std::string>& names = {});

/// The reason why other questions about a program are not answered, given the finding about its mixed-size
/// data races: there is one (PTX ISA 8.7 § 8.7.2), or it is unknown whether there is one. Otherwise empty.
std::optional<std::string> why_void(const std::vector<FlagFinding>& mixed_size_races);

/// Whether two accesses of different threads may overlap without covering the same bytes.
bool may_overlap_partially(const EventStructure&);

}  // namespace ptxmc
