#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/cat/cat_model.hpp"
#include "model/program/execution.hpp"
#include "solver/encoding/candidate_executions.hpp"
#include "solver/smt_engine/answers.hpp"

namespace ptxmc {

/// Looks for executions in which all threads end and which raise the flags with these names; all flags of
/// the model if there are none.
std::vector<FlagFinding> find_flags(const CandidateExecutions&, const cat::Model&, const DecideOptions&,
                                    TermGraph&, const std::vector<std::string>& names);
/// The same for a program.
std::vector<FlagFinding> find_flags(const Program&, const cat::Model&, const DecideOptions&,
                                    const std::vector<std::string>& names = {});

/// The reason why other questions about a program are not answered, given the finding about its mixed-size
/// data races: there is one (PTX ISA 8.7 § 8.7.2), or it is unknown whether there is one. Otherwise empty.
std::optional<std::string> why_void(const std::vector<FlagFinding>& mixed_size_races);

/// Whether two accesses of different threads may overlap without covering the same bytes.
bool may_overlap_partially(const EventStructure&);
bool may_overlap_partially(const std::vector<Event>&);

}  // namespace ptxmc
